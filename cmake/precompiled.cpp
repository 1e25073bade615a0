// Carries the precompiled headers; see precompiled.cmake.
