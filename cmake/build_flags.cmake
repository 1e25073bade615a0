# How every target of ours is built; consumers see none of it.

add_library(hamel_flags INTERFACE)
# No fused multiply-add behind our back; programs say themselves what is fused (src/program/fuse.hpp).
target_compile_options(hamel_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # "x" + std::to_string(n) draws these, wrongly (gcc bug 105651); the address sanitizer does their work.
  target_compile_options(hamel_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()

# Instrumented code draws false warnings, so they stop the build only without sanitizers.
# `cmake --compile-no-warning-as-error` switches this off.
if(PROJECT_IS_TOP_LEVEL AND NOT HAMEL_SANITIZE AND NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()

# gcc collects its garbage from 128 MB on; Eigen's templates fill that many times over.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(hamel_flags INTERFACE --param=ggc-min-heapsize=500000)
endif()

# -O3 buys nothing here but time: what is hot is native code, or the interpreter, which asks for it.
if(PROJECT_IS_TOP_LEVEL)
  string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
set_source_files_properties(src/program/interpreter.cpp src/integrate/gauss_stages.cpp PROPERTIES COMPILE_OPTIONS "-O3;-ffp-contract=fast"
                            SKIP_PRECOMPILE_HEADERS ON)

# Eigen's code alone, and much of it: sanitizers and clang-tidy have nothing of ours to watch there. Memory must be
# allocated as in the other files.
set(eigen_alone src/linear/dense.cpp src/linear/eigen.cpp src/linear/lu.cpp src/manifold/nearest_rotation.cpp)
set_source_files_properties(${eigen_alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ${HAMEL_LINT})
if(HAMEL_SANITIZE)
  set_source_files_properties(${eigen_alone} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-DEIGEN_MALLOC_ALREADY_ALIGNED=0"
                              SKIP_PRECOMPILE_HEADERS ON)
  # Without the checks of pointers that the address sanitizer makes too, or Eigen's assertions: they double the time.
  add_compile_options(-Og -g0 -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(PROJECT_IS_TOP_LEVEL AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache compares the contents of precompiled headers only when told that their times may differ.
  set(sloppiness pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=${sloppiness}
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
