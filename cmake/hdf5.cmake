# Records are written with HDF5: HAMEL_RECORDS says whether there is any, HAMEL_HDF5 is what programs are linked with.

find_package(HDF5 COMPONENTS C)
set(HAMEL_RECORDS ${HDF5_FOUND})
if(NOT HDF5_FOUND)
  message(STATUS "Without HDF5: records and reports are left out. On Debian: apt-get install libhdf5-dev")
  return()
endif()
set(HAMEL_HDF5 hdf5::hdf5)

# In packages for Python the archive: Debian's shared library needs 36 others, the archive only those that compress.
if(NOT DEFINED HAMEL_STATIC_HDF5)
  set(HAMEL_STATIC_HDF5 ${HAMEL_PYTHON})
endif()
if(HAMEL_STATIC_HDF5)
  list(GET HDF5_C_LIBRARIES 0 shared_library)
  get_filename_component(folder ${shared_library} DIRECTORY)
  set(archives)
  foreach(name hdf5 sz aec z)
    find_library(HAMEL_ARCHIVE_${name} lib${name}.a HINTS ${folder})
    list(APPEND archives ${HAMEL_ARCHIVE_${name}})
  endforeach()
  if(archives MATCHES NOTFOUND)
    set(HAMEL_STATIC_HDF5 OFF)
  else()
    set(HAMEL_HDF5 ${archives} m ${CMAKE_DL_LIBS})
  endif()
endif()

# An archive that was compiled for programs: from a shared library it cannot reach two variables of the C library. Its
# names are hidden, since there may be another HDF5 in the same process.
function(hamel_enclose_hdf5 module)
  if(HAMEL_STATIC_HDF5)
    target_sources(${module} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/standard_streams.c)
    target_link_options(${module} PRIVATE LINKER:--wrap=stderr,--wrap=stdout,--exclude-libs,ALL)
  endif()
endfunction()
