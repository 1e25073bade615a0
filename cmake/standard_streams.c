// stderr and stdout under names that belong to what is linked; see hdf5.cmake.
#include <stdio.h>

extern FILE *__real_stderr, *__real_stdout;
__attribute__((visibility("hidden"))) FILE *__wrap_stderr, *__wrap_stdout;

__attribute__((constructor(101))) static void take_streams(void) {
  __wrap_stderr = __real_stderr;
  __wrap_stdout = __real_stdout;
}
