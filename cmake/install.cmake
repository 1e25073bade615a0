# `cmake --install`: the libraries hamel::hamel and, where it is built, hamel::files, the headers of their rooms and what
# find_package(hamel) needs.

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hamel)

install(TARGETS hamel EXPORT hamelTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hamelTargets NAMESPACE hamel:: DESTINATION ${package_dir})
if(TARGET hamel_files)
  install(TARGETS hamel_files EXPORT hamelFilesTargets)
  install(EXPORT hamelFilesTargets NAMESPACE hamel:: DESTINATION ${package_dir})
endif()
install(FILES include/hamel/hamel.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hamel)
foreach(room IN LISTS HAMEL_ROOMS HAMEL_COMMAND_ROOMS)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include/hamel/${room})
    install(DIRECTORY include/hamel/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hamel FILES_MATCHING PATTERN "*.hpp"
            PATTERN "*.def")
  endif()
endforeach()

configure_package_config_file(cmake/hamelConfig.cmake.in hamelConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(hamelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hamelConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/hamelConfigVersion.cmake
        DESTINATION ${package_dir})
