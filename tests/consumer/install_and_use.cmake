# Installs the libraries of BUILD into a fresh prefix, then builds and runs the programs here against it.

set(prefix ${BUILD}/consumer-prefix)
set(consumer_build ${BUILD}/consumer)
file(REMOVE_RECURSE ${prefix} ${consumer_build})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${consumer_build} -G ${GENERATOR}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${consumer_build})
run(${consumer_build}/pendulum)
run(${consumer_build}/record WORKING_DIRECTORY ${consumer_build})
if(EXISTS ${BUILD}/studio/index.html AND NOT EXISTS ${prefix}/share/hamel/studio/index.html)
  message(FATAL_ERROR "the page of hamel studio was not installed")
endif()
