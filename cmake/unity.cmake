# Files that include each other's headers anyway are compiled together, so that headers are read and templates
# instantiated once. Names in unnamed namespaces must then differ within a room, which is good for readers, too.
# Files with flags of their own stay alone.

# All at once, or so many at a time: what takes minutes should not be the last thing that one core does alone.
function(hamel_compile_together target)
  set(batch 0 ${ARGN})
  list(GET batch -1 batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HAMEL_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# A class of a source file may have members of types in its unnamed namespace; seen from another file it may not.
if(HAMEL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(hamel_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()

# Redefines NDEBUG for a header of others.
set_source_files_properties(src/language/toml_document.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
