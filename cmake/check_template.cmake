# Were viewer/template.html and python/hamel/viewer.html built from the sources in viewer/?   cmake -D VIEWER=viewer -P check_template.cmake
# Compares the hash that viewer/vite.config.ts has put into it; needs no npm.

file(GLOB sources RELATIVE ${VIEWER} ${VIEWER}/src/*)
list(APPEND sources index.html inline.html package-lock.json package.json tsconfig.json vite.config.ts)
list(SORT sources)
set(lines "")
foreach(source IN LISTS sources)
  file(SHA256 ${VIEWER}/${source} hash)
  string(APPEND lines "${hash} ${source}\n")
endforeach()
string(SHA256 expected "${lines}")

foreach(page template.html ../python/hamel/viewer.html)
  file(STRINGS ${VIEWER}/${page} found REGEX "name=\"hamel-sources\"")
  if(NOT found MATCHES "content=\"${expected}\"")
    message(FATAL_ERROR "viewer/${page} was built from other sources (${expected} is not in it): run `make viewer`")
  endif()
endforeach()
