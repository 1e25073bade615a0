# Has every model of models/ its page in docs/gallery, with its pictures, and is there no other page?
#   cmake -D REPOSITORY=$PWD -P check_gallery.cmake

file(GLOB models RELATIVE ${REPOSITORY}/models ${REPOSITORY}/models/*.toml)
file(GLOB found RELATIVE ${REPOSITORY}/docs/gallery ${REPOSITORY}/docs/gallery/*)
file(READ ${REPOSITORY}/docs/gallery/README.md index)

set(expected README.md)
foreach(model IN LISTS models)
  string(REGEX REPLACE "\\.toml$" "" id ${model})
  list(APPEND expected ${id}.md ${id}.svg ${id}.webp)
  string(FIND "${index}" "(${id}.md)" place)
  if(place EQUAL -1)
    list(APPEND unlisted ${id})
  endif()
endforeach()

set(missing ${expected})
list(REMOVE_ITEM missing ${found})
set(other ${found})
list(REMOVE_ITEM other ${expected})
foreach(kind missing other unlisted)
  if(${kind})
    list(JOIN ${kind} ", " names)
    message(SEND_ERROR "docs/gallery, ${kind}: ${names}; run `make docs`")
  endif()
endforeach()
