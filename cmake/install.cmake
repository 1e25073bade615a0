# `cmake --install`: the library, its headers and what find_package(hamel) needs.

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hamel)

install(TARGETS hamel EXPORT hamelTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/hamel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(EXPORT hamelTargets NAMESPACE hamel:: DESTINATION ${package_dir})

configure_package_config_file(cmake/hamelConfig.cmake.in hamelConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(hamelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hamelConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/hamelConfigVersion.cmake
        DESTINATION ${package_dir})
