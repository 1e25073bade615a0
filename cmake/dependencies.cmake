# What hamel stands on: the system's, or that of CMAKE_PREFIX_PATH (python/backend.py takes it from PyPI where it is
# missing). Where there are no headers of toml++, CLI11, fast_float or Spectra, those of third_party/ are used.

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt 9 REQUIRED)
set(HAMEL_FMT fmt::fmt)
if(HAMEL_FMT_HEADER_ONLY)
  set(HAMEL_FMT fmt::fmt-header-only)
endif()

# A library of headers alone, from the system or from third_party/.
function(hamel_find_headers target header)
  find_path(${target}_INCLUDE ${header} PATHS ${PROJECT_SOURCE_DIR}/third_party/${target} REQUIRED)
  mark_as_advanced(${target}_INCLUDE)
  add_library(${target}_headers INTERFACE)
  target_include_directories(${target}_headers SYSTEM INTERFACE ${${target}_INCLUDE})
endfunction()

hamel_find_headers(spectra Spectra/SymGEigsShiftSolver.h)
if(HAMEL_COMMAND)
  hamel_find_headers(tomlplusplus toml++/toml.h)
  hamel_find_headers(fast_float fast_float/fast_float.h)
  hamel_find_headers(cli11 CLI/CLI.hpp)
  find_package(nlohmann_json 3 QUIET)
  if(NOT nlohmann_json_FOUND)  # PyPI has its headers alone
    hamel_find_headers(nlohmann_json nlohmann/json.hpp)
    add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json_headers)
  endif()
  include(cmake/hdf5.cmake)
endif()
