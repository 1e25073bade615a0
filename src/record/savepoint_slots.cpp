// The dataset `savepoints`: two rows of words, written in turn.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "record/layout.hpp"

namespace hamel {
namespace {

using namespace hdf5;

constexpr const char* dataset_name = "savepoints";
constexpr hsize_t slots = 2, slot_chunk = 512;

Handle slot_space(hid_t dataset, hsize_t slot, hsize_t size) {
  Handle space(H5Dget_space(dataset), H5Sclose, "find the savepoints");
  const std::array<hsize_t, 2> start{slot, 0}, count{1, size};
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "find the savepoints");
  return space;
}

Handle words_space(hsize_t size) { return {H5Screate_simple(1, &size, nullptr), H5Sclose, "find the savepoints"}; }

}  // namespace

Handle create_savepoints(hid_t file) {
  const std::array<hsize_t, 2> size{slots, slot_chunk}, largest{slots, H5S_UNLIMITED}, pieces{1, slot_chunk};
  const Handle space(H5Screate_simple(2, size.data(), largest.data()), H5Sclose, "make savepoints");
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make savepoints");
  checked(H5Pset_chunk(properties, 2, pieces.data()), "make savepoints");
  Handle dataset(H5Dcreate2(file, dataset_name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                 H5Dclose, "make savepoints");
  write_attribute(dataset, "what", "from where the run can be resumed: two places, of which the newer one counts");
  return dataset;
}

Handle open_savepoints(hid_t file) { return open_dataset(file, dataset_name); }

void write_savepoint(hid_t dataset, const Savepoint& savepoint, std::uint64_t number) {
  const std::vector<std::uint64_t> words = encode(savepoint, number);
  if (words.size() > extents<std::uint64_t>(dataset, slots)[1]) {
    const std::array<hsize_t, 2> size{slots, words.size()};
    checked(H5Dset_extent(dataset, size.data()), "make room for a savepoint");
  }
  checked(H5Dwrite(dataset, H5T_NATIVE_UINT64, words_space(words.size()),
                   slot_space(dataset, number % slots, words.size()), H5P_DEFAULT, words.data()),
          "write a savepoint");
}

Savepoints read_savepoints(hid_t dataset, int format) {
  Savepoints result;
  const auto size = extents<std::uint64_t>(dataset, slots);
  if (size.size() != 2 || size[0] != slots) throw std::runtime_error("/savepoints has not two rows");
  for (hsize_t slot = 0; slot < slots; ++slot) {
    std::vector<std::uint64_t> words(size[1]);
    if (!words.empty()) read_part(dataset, {.start = {slot, 0}, .count = {1, size[1]}, .stride = {}}, words.data());
    auto found = decode(words, format);
    const bool was_written = std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; });
    if (!found && was_written) result.damaged = true;
    if (found && (!result.newest || found->number > result.newest->number)) result.newest = std::move(found);
  }
  return result;
}

}  // namespace hamel
