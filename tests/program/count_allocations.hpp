// Counts the calls of operator new in this test program.
#pragma once

namespace hamel::test {

long allocations();

}  // namespace hamel::test
