// How records reach the disk: a driver for HDF5 under which a file stays readable when its writer dies.
//
// In HDF5's mode of a single writer and many readers (SWMR) the bytes of a file describe a consistent state after every
// single write, but a mark in its first block says that it is being written, and ordinary readers refuse it for ever
// when the writer was killed. This driver keeps the mark out of the file. After an error (a full disk) it
// writes nothing more, so that the file remains as it was, and lets HDF5 believe that all is well: ask write_error.
// A file has one writer at a time: it holds a lock, which the system releases when it dies.
#pragma once

#include <string>

#include "record/hdf5.hpp"

namespace hamel::hdf5 {

// The smallest file that its writer may leave behind at any moment; `path` must not exist.
Handle create_file(const std::string& path);
// To go on with; refused while another process writes to it.
Handle open_file(const std::string& path);
// From now on the structure of the file is fixed, its datasets grow, and every state of it can be read.
void start_appending(hid_t file);
// Also while it is being written.
Handle open_to_read(const std::string& path);

bool is_being_written(const std::string& path);

// What the system said when a write failed; empty if all went well.
std::string write_error(hid_t file);
// Nothing more is written.
void abandon(hid_t file);

// For tests: the process kills itself at the n-th write from now on, in the middle of it if it crosses a page.
void die_at_write(long n);

}  // namespace hamel::hdf5
