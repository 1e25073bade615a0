// Counts the calls of malloc in this test program, and with them those of operator new and of Eigen.
#pragma once

namespace hamel::test {

bool counts_allocations();  // not under sanitizers, which have a malloc of their own
long allocations();

}  // namespace hamel::test
