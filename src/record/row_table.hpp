// A dataset that rows are appended to.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "record/layout.hpp"

namespace hamel {

struct RowTable : OpenColumn {
  std::vector<std::uint64_t> waiting;  // as they are in memory, numbers too

  hid_t type() const { return column.is_checksum ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE; }

  void create(hid_t file, hsize_t chunk) {
    const std::string what = "make the dataset " + column.path;
    const std::array<hsize_t, 2> size{0, column.width}, largest{H5S_UNLIMITED, column.width},
        pieces{chunk, column.width};
    const int rank = column.scalar ? 1 : 2;
    const hdf5::Handle space(H5Screate_simple(rank, size.data(), largest.data()), H5Sclose, what);
    const hdf5::Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
    hdf5::checked(H5Pset_chunk(properties, rank, pieces.data()), what);
    dataset = hdf5::Handle(H5Dcreate2(file, column.path.c_str(), type(), space, H5P_DEFAULT, properties, H5P_DEFAULT),
                           H5Dclose, what);
    hdf5::write_attribute(dataset, "what", column.what);
    if (!column.unit.empty()) hdf5::write_attribute(dataset, "unit", column.unit);
  }

  // The rows from `first` on. Those that are there already, from a run that was killed, are the same.
  void write(hsize_t first) {
    if (waiting.empty()) return;
    const std::string what = "write " + column.path;
    const hsize_t count = waiting.size() / column.width;
    const std::array<hsize_t, 2> start{first, 0}, block{count, column.width},
        size{rows = std::max(rows, first + count), column.width};
    hdf5::checked(H5Dset_extent(dataset, size.data()), what);
    const hdf5::Handle memory(H5Screate_simple(column.scalar ? 1 : 2, block.data(), nullptr), H5Sclose, what);
    const hdf5::Handle space(H5Dget_space(dataset), H5Sclose, what);
    hdf5::checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), what);
    hdf5::checked(H5Dwrite(dataset, type(), memory, space, H5P_DEFAULT, waiting.data()), what);
  }
};

}  // namespace hamel
