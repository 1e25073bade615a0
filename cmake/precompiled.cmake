# Three precompiled headers, each built once: `library` (Eigen, fmt and the standard library) for the rooms that compute,
# `files` (the same and JSON) for those of the command, and `tests` (the first and GoogleTest) for all test programs.
# gcc takes the optimization of a file from its precompiled header, whatever the command line says.

function(hamel_add_precompiled kind)
  add_library(hamel_precompiled_${kind} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(hamel_precompiled_${kind} PRIVATE hamel_flags Eigen3::Eigen ${HAMEL_FMT})
  target_precompile_headers(hamel_precompiled_${kind} PRIVATE ${ARGN})
endfunction()

function(hamel_precompile target kind)
  if(HAMEL_PCH)
    target_precompile_headers(${target} REUSE_FROM hamel_precompiled_${kind})
  endif()
endfunction()

set(HAMEL_COMMON_HEADERS
    <Eigen/Dense> <algorithm> <array> <cmath> <cstdint> <functional> <memory> <numeric> <random> <span> <stdexcept>
    <string> <unordered_map> <utility> <vector> <fmt/format.h>)
if(fmt_VERSION VERSION_GREATER_EQUAL 11)
  list(APPEND HAMEL_COMMON_HEADERS <fmt/ranges.h>)  # fmt::join was in format.h before
endif()

if(HAMEL_PCH)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(hamel_flags INTERFACE -fpch-preprocess) # for ccache
  endif()
  hamel_add_precompiled(library ${HAMEL_COMMON_HEADERS})
  set_target_properties(hamel_precompiled_library PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
