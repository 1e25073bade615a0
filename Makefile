# The commands of the house. Each installs the Debian packages it needs when they are missing, builds in build/
# and runs. `make help` lists them.

JOBS ?= 2
FUZZ_SECONDS ?= 60

BUILD_PACKAGES := g++ cmake ninja-build ccache libeigen3-dev libspectra-dev libfmt-dev libtomlplusplus-dev \
                  libcli11-dev nlohmann-json3-dev libhdf5-dev libfast-float-dev libcpp-httplib-dev
FORMAT_PACKAGES := clang-format
FUZZ_PACKAGES := clang libclang-rt-dev pkg-config
LINT_PACKAGES := $(BUILD_PACKAGES) clang-tidy
LIBCXX_PACKAGES := clang libc++-dev libc++abi-dev googletest
TEST_PACKAGES := $(LINT_PACKAGES) $(FORMAT_PACKAGES) $(FUZZ_PACKAGES) $(LIBCXX_PACKAGES) libgtest-dev \
                 openmpi-bin libopenmpi-dev
# Node.js and browsers often come from elsewhere: packages only for the commands that are missing.
VIEWER_PACKAGES := $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm)
BROWSER_PACKAGES := $(VIEWER_PACKAGES) $(if $(shell command -v chromium),,chromium)
WEB_PACKAGES := $(VIEWER_PACKAGES) emscripten cmake ninja-build ccache libeigen3-dev libspectra-dev libfmt-dev \
                libtomlplusplus-dev nlohmann-json3-dev libfast-float-dev
BENCH_PACKAGES := $(BUILD_PACKAGES) libbenchmark-dev
# A Python from elsewhere has its own headers and venv.
PYTHON ?= python3
PYTHON_PACKAGES := $(if $(shell $(PYTHON) -c 'import ensurepip, os, sysconfig; \
                     print(os.path.exists(sysconfig.get_paths()["include"] + "/Python.h") or "")' 2>/dev/null),,python3-dev python3-venv)

install = @scripts/install-packages.sh
build = cmake --build --preset release --parallel $(JOBS)
# A build folder made for something else than tests does without GoogleTest; one that has tests keeps them.
without_tests = $$(test -e build/CMakeCache.txt || echo -DHAMEL_TESTS=OFF)

# Emscripten of Debian runs scripts whose modules only Debian's own Node.js would find.
build_web = export NODE_PATH=/usr/share/nodejs && cmake -S web -B build/web -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake >/dev/null && \
            cmake --build build/web --parallel $(JOBS)

# What the package-lock.json of a folder asks for, once; where npm cannot have it, the tests in a browser are left out.
node_modules = cd $(1) && if ! cmp -s package-lock.json node_modules/.installed; then \
               npm ci --no-fund --no-audit --loglevel=error && cp package-lock.json node_modules/.installed; fi

# A virtual environment with what python/requirements.txt asks for, once.
virtual_environment = if ! cmp -s python/requirements.txt build/venv/.installed; then \
                      $(PYTHON) -m venv build/venv && build/venv/bin/pip install -q --disable-pip-version-check \
                      -r python/requirements.txt && cp python/requirements.txt build/venv/.installed; fi
with_python = -DHAMEL_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/venv/bin/python

.PHONY: help demo paper errata docs viewer web studio-page studio test-web python notebooks wheel from-pypi test test-libcxx fuzz bench bench-ensembles tumbling format lint \
        install-packages clean
.NOTPARALLEL:

help:
	@echo 'make demo               build hamel, run a model, write a report with its motion'
	@echo 'make paper              run the examples of two papers, and compare with their figures'
	@echo 'make errata             check printed equations of the texts: docs/errata.md'
	@echo 'make docs               write docs/gallery and the site build/docs, in which models live, and look at all its pages'
	@echo 'make viewer             build viewer/template.html, the page of reports, and python/hamel/viewer.html, that of notebooks'
	@echo 'make web                build hamel for the browser in build/web/site: WebAssembly, and the page around it'
	@echo 'make studio-page        build the page of hamel studio alone, in build/studio: without WebAssembly'
	@echo 'make studio             the same and the command, and start hamel studio'
	@echo 'make test-web           the same, and use it in a browser: every model ends where the command ends'
	@echo 'make python             build the package for Python in build/python, with build/venv, and test it'
	@echo 'make wheel              a wheel for this Python, which needs no compiler: build/wheel'
	@echo 'make from-pypi         build and use the package with libraries of PyPI alone: those of Debian are hidden meanwhile'
	@echo 'make notebooks          run the notebooks, and write their pages with pictures: docs/notebooks'
	@echo 'make test               all tests, also under sanitizers; formatting and static analysis'
	@echo 'make test-libcxx        all tests with clang and libc++, as WebAssembly and macOS have them'
	@echo 'make fuzz               throw malformed models and records at their readers; FUZZ_SECONDS=600 for ten minutes'
	@echo 'make bench              run the benchmarks: build/bench.json, build/work_precision.json, docs/images'
	@echo 'make bench-ensembles    ten thousand members by hamel, heyoka, JAX and MuJoCo: build/bench_ensembles.json'
	@echo 'make tumbling           what methods make of a body that flips 10,000 times, as a table'
	@echo 'make format             format all C++ files'
	@echo 'make lint               static analysis with clang-tidy'
	@echo 'make install-packages   install all Debian packages that the other commands need'
	@echo 'make clean              remove build/'
	@echo 'JOBS=8 builds with 8 jobs instead of 2.'

demo:
	$(install) $(BUILD_PACKAGES)
	@cmake --preset release -DHAMEL_EXAMPLES=ON $(without_tests) >/dev/null
	@$(build) --target hamel_command
	@build/hamel run double-spherical-pendulum --every 0.05 --report build/demo.html --overwrite
	@echo
	@echo "Open build/demo.html in a browser: the motion, its charts, its equations."

paper:
	$(install) $(BUILD_PACKAGES)
	@cmake --preset release -DHAMEL_EXAMPLES=ON $(without_tests) >/dev/null
	@$(build) --target paper
	@build/paper

errata:
	$(install) $(BUILD_PACKAGES)
	@cmake --preset release $(without_tests) >/dev/null
	@$(build) --target hamel_errata
	@build/errata/hamel_errata docs/errata.md

docs: web
	$(install) $(BUILD_PACKAGES) $(BROWSER_PACKAGES) $(PYTHON_PACKAGES)
	@$(virtual_environment)
	@cmake --preset release $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_stubs hamel_command
	@PYTHONPATH=build/python build/venv/bin/python scripts/python-reference.py
	@$(call node_modules,docs/site)
	@node docs/site/build.mjs

viewer:
	$(install) $(VIEWER_PACKAGES)
	@$(call node_modules,viewer)
	@cd viewer && npm run --silent build

web:
	$(install) $(WEB_PACKAGES)
	@$(call node_modules,viewer)
	@$(call node_modules,web)
	@$(build_web)
	@cd web && npm run --silent types && npm run --silent build

studio-page:
	$(install) $(VIEWER_PACKAGES)
	@$(call node_modules,viewer)
	@$(call node_modules,web)
	@cd web && node build.mjs native

studio: studio-page
	$(install) $(BUILD_PACKAGES)
	@cmake --preset release $(without_tests) >/dev/null
	@$(build) --target hamel_command
	@build/hamel studio

test-web: web studio-page
	$(install) $(BUILD_PACKAGES) $(BROWSER_PACKAGES)
	@cmake --preset release $(without_tests) >/dev/null
	@$(build) --target hamel_command
	@$(call node_modules,docs/site)
	@cd web && HAMEL_COMMAND=$(CURDIR)/build/hamel npm test --silent

python:
	$(install) $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@$(virtual_environment)
	@cmake --preset release $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_stubs hamel_command
	@PYTHONPATH=build/python build/venv/bin/python scripts/python-reference.py
	@PYTHONPATH=$(CURDIR)/build/python HAMEL_COMMAND=$(CURDIR)/build/hamel HAMEL_NATIVE=0 build/venv/bin/python -m pytest -q -n $(JOBS) --dist loadscope python/tests
	@echo
	@echo "PYTHONPATH=build/python build/venv/bin/python, or pip install ."

wheel:
	$(install) $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@$(virtual_environment)
	@cmake --preset release $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_stubs hamel_command
	@scripts/wheel.sh build build/venv/bin/python

from-pypi:
	@scripts/from-pypi.sh

notebooks:
	$(install) $(BUILD_PACKAGES) $(PYTHON_PACKAGES) $(BROWSER_PACKAGES)
	@$(virtual_environment)
	@$(call node_modules,docs/site)
	@cmake --preset release $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_python
	@PYTHONPATH=build/python build/venv/bin/python docs/site/notebooks.py

test:
	$(install) $(TEST_PACKAGES)
	@scripts/install-packages.sh $(PYTHON_PACKAGES) && ($(virtual_environment)) || \
	 echo 'without packages of Python: its tests are left out' >&2
	@scripts/install-packages.sh $(BROWSER_PACKAGES) || echo 'without a browser: its tests are left out' >&2
	@($(call node_modules,viewer)) || echo 'without npm packages: the tests in a browser are left out' >&2
	@($(call node_modules,docs/site)) || echo 'without npm packages: the test of the site is left out' >&2
	@scripts/install-packages.sh $(WEB_PACKAGES) || echo 'without Emscripten: the studio is left out' >&2
	@if command -v em++ >/dev/null && ($(call node_modules,web)); then ($(build_web)) && cd web && npm run --silent build; fi
	@scripts/format.sh --check
	@scripts/check-types.sh
	@scripts/check-rooms.sh
	@scripts/check-unity.sh
	@scripts/check-catalog.sh
	@JOBS=$(JOBS) scripts/check-headers.sh
	@echo '== tests'
	@cmake --preset release -DHAMEL_TESTS=ON $$(test ! -e build/venv/.installed || echo $(with_python)) >/dev/null
	@$(build)
	@ctest --preset release --parallel $(JOBS)
	@echo '== tests under address and undefined-behaviour sanitizers'
	@cmake --preset sanitize >/dev/null
	@cmake --build --preset sanitize --parallel $(JOBS)
	@ctest --preset sanitize --parallel $(JOBS)
	@echo '== model files with clang and libc++'
	@cmake --preset libcxx >/dev/null
	@cmake --build --preset libcxx --parallel $(JOBS) --target test_language
	@build/libcxx/tests/test_language --gtest_brief=1 --gtest_filter='-*Long.*'
	@echo '== malformed models and records, and meanwhile static analysis'
	@scripts/fuzz.sh $(FUZZ_SECONDS) 1 >build/fuzz.log 2>&1 & fuzz=$$!; \
	 JOBS=$(JOBS) scripts/lint.sh; lint=$$?; \
	 wait $$fuzz || { tail -n 100 build/fuzz.log; exit 1; }; \
	 grep 'no crash and no hang' build/fuzz.log; exit $$lint

test-libcxx:
	$(install) $(BUILD_PACKAGES) $(LIBCXX_PACKAGES)
	@cmake --preset libcxx >/dev/null
	@cmake --build --preset libcxx --parallel $(JOBS)
	@ctest --preset libcxx --parallel $(JOBS)

fuzz:
	$(install) $(BUILD_PACKAGES) $(FUZZ_PACKAGES)
	@cmake --preset release $(without_tests) >/dev/null
	@$(build) --target hamel
	@JOBS=$(JOBS) scripts/fuzz.sh $(FUZZ_SECONDS)

bench:
	$(install) $(BENCH_PACKAGES) $(PYTHON_PACKAGES)
	@$(virtual_environment)
	@cmake --preset release -DHAMEL_BENCH=ON $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_bench hamel_work_precision hamel_stubs hamel_command
	@build/hamel_bench build/bench.json
	@build/hamel_work_precision build/work_precision.json docs/images
	@scripts/bench-python.sh field

bench-ensembles:
	$(install) $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@$(virtual_environment)
	@cmake --preset release $(with_python) $(without_tests) >/dev/null
	@$(build) --target hamel_stubs
	@scripts/bench-python.sh ensembles

tumbling:
	$(install) $(BENCH_PACKAGES)
	@cmake --preset release -DHAMEL_BENCH=ON $(without_tests) >/dev/null
	@$(build) --target hamel_tumbling
	@build/hamel_tumbling

format:
	$(install) $(FORMAT_PACKAGES)
	@scripts/format.sh

lint:
	$(install) $(LINT_PACKAGES)
	@JOBS=$(JOBS) scripts/lint.sh

install-packages:
	$(install) $(sort $(TEST_PACKAGES) $(BROWSER_PACKAGES) $(WEB_PACKAGES) $(BENCH_PACKAGES))

clean:
	rm -rf build
