# The library hamel::files (model files, records, reports): its rooms, in order of dependency; and the command `hamel`.

find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)  # header only: see src/language/toml_document.cpp
find_path(FAST_FLOAT_INCLUDE fast_float/fast_float.h REQUIRED)  # header only
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)

set(HAMEL_COMMAND_ROOMS language record report)
set(libraries_record hdf5::hdf5)
set(libraries_report nlohmann_json::nlohmann_json)
set(command_rooms)
foreach(room IN LISTS HAMEL_COMMAND_ROOMS)
  hamel_add_room(${room})
  if(TARGET hamel_${room})
    target_link_libraries(hamel_${room} PUBLIC ${libraries_${room}})
    target_compile_definitions(hamel_${room} PRIVATE HAMEL_VERSION="${PROJECT_VERSION}")
    list(APPEND command_rooms hamel_${room})
    list(APPEND HAMEL_FILES_OBJECTS $<TARGET_OBJECTS:hamel_${room}>)
  endif()
endforeach()
add_library(hamel_files ${HAMEL_FILES_OBJECTS})
add_library(hamel::files ALIAS hamel_files)
target_link_libraries(hamel_files PUBLIC hamel PRIVATE hdf5::hdf5)
set_target_properties(hamel_files PROPERTIES EXPORT_NAME files LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The page that reports are written into; `make viewer` builds it from viewer/.
set(page_template ${CMAKE_CURRENT_SOURCE_DIR}/viewer/template.html)
set_source_files_properties(src/report/template.cpp PROPERTIES OBJECT_DEPENDS ${page_template}
                            COMPILE_DEFINITIONS HAMEL_PAGE_TEMPLATE="${page_template}")
set_source_files_properties(src/report/page_json.cpp PROPERTIES COMPILE_DEFINITIONS HAMEL_VERSION="${PROJECT_VERSION}")

file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.cpp)
# Under sanitizers the rooms have their tests; the command itself would take as long as all of them to compile.
if(cli_sources AND NOT HAMEL_SANITIZE)
  add_executable(hamel_command ${cli_sources})
  set_target_properties(hamel_command PROPERTIES OUTPUT_NAME hamel)
  target_include_directories(hamel_command PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cli)
  target_compile_definitions(hamel_command PRIVATE HAMEL_VERSION="${PROJECT_VERSION}")
  target_link_libraries(hamel_command PRIVATE hamel::files CLI11::CLI11 nlohmann_json::nlohmann_json hamel_flags)
  if(HAMEL_PCH)
    target_precompile_headers(hamel_command PRIVATE ${HAMEL_COMMON_HEADERS} <CLI/CLI.hpp> <nlohmann/json.hpp>)
  endif()
  hamel_compile_together(hamel_command)
  install(TARGETS hamel_command)
  install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/hamel)
endif()
