# Files that include each other's headers anyway are compiled together, so that headers are read and templates
# instantiated once. Names in unnamed namespaces must then differ within a room, which is good for readers, too.
# Files with flags of their own stay alone.

# All at once, or so many at a time: what takes minutes should not be the last thing that one core does alone.
function(hamel_compile_together target)
  set(batch 0 ${ARGN})
  list(GET batch -1 batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HAMEL_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# gcc looks for a type through all names that it was ever given, and Eigen gives it one in each class: what that takes grows
# with the square of what is compiled at once. Where there is little else, a few files at a time are faster.
set(batch_linear 1)
set(batch_manifold 4)
set(batch_analyze 7)

# A class of a source file may have members of types in its unnamed namespace; seen from another file it may not.
if(HAMEL_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(hamel_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()

# Redefines NDEBUG for a header of others.
set_source_files_properties(src/language/toml_document.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
