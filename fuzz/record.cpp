// Reads records and sweeps that were tampered with: each must be read or refused with a sentence, never crash, hang or
// take gigabytes.
//
// HDF5 guards its own structures by checksums, so that bytes changed at random seldom reach our reader. An input is
// therefore a list of edits of a real record, of format 1 or 2: attributes and datasets of other types and shapes,
// other numbers, other words of a savepoint with the checksum they should have, and other bytes.
#include "hamel/record/record.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hamel/manifold/factors.hpp"
#include "hamel/record/at_exit.hpp"
#include "hamel/record/csv.hpp"
#include "hamel/record/recorded_run.hpp"
#include "hamel/record/sweep_table.hpp"
#include "record/hdf5.hpp"
#include "record/lookup3.hpp"

namespace {

namespace fs = std::filesystem;
using hamel::hdf5::Handle;

struct Edit {
  std::uint8_t kind, object;
  std::uint16_t a;
  std::uint32_t b;
};
static_assert(sizeof(Edit) == 8);

// A record, and what there is in it to be changed.
struct Seed {
  std::string bytes;
  std::vector<std::string> datasets;
  std::vector<std::pair<std::string, std::string>> attributes;  // of which object, and its name
};

std::string folder() {
  static const std::string path = [] {
    std::string name = (fs::temp_directory_path() / "hamel-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    return name;
  }();
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Handle open_to_edit(const std::string& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open the record"};
}

herr_t list_object(hid_t file, const char* name, const H5O_info_t* info, void* to) {
  auto& seed = *static_cast<Seed*>(to);
  if (info->type == H5O_TYPE_DATASET) seed.datasets.emplace_back(name);
  const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose, "open an object");
  for (const std::string& attribute : hamel::hdf5::attribute_names(object))
    seed.attributes.emplace_back(name, attribute);
  return 0;
}

Seed seed_of(const std::string& path) {
  Seed seed{bytes_of(path), {}, {}};
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open the record");
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, list_object, &seed);
  return seed;
}

Seed new_record() {
  hamel::Model model("pendulum");
  const hamel::Formula q = model.coordinate<hamel::S2>("q"), g = model.parameter("g", 9.81);
  model.kinetic(hamel::squared_norm(hamel::rate(q)) / 2);
  model.potential(g * q.z());
  const hamel::System system = hamel::derive(model);
  const hamel::State start = system.state(0, Eigen::Vector3d(0.6, 0, -0.8), Eigen::Vector3d(0, 1, 0));
  const std::string path = folder() + "/new.h5";
  hamel::recorded_run(system, start, hamel::Rk4{0.01}, {.until = 0.1, .outputs = {{"height", q.z()}}, .path = path},
                      {.model_text = "name = \"pendulum\"", .units = {{"time", "s"}}});
  return seed_of(path);
}

// Of a grid, with a series and a member that failed.
Seed new_sweep() {
  const hamel::SweepHeader header{.model_text = "name = \"pendulum\"",
                                  .model_name = "pendulum",
                                  .hamel_version = "fuzz",
                                  .settings = {{"integrator", "rk4"}},
                                  .varied = {"m", "l"},
                                  .quantities = {"m", "l"},
                                  .vary_texts = {"1:2:3", "1:2:2"},
                                  .kept = {{"t"}, {"height max"}, {"height series", 4}},
                                  .members = 6,
                                  .sides = {3, 2},
                                  .machine = {{"processor", "any"}}};
  const std::string path = folder() + "/sweep.h5";
  hamel::SweepWriter writer(path, header);
  writer.append(
      {0, hamel::MemberRows::Constant(5, 2, 1.5), hamel::MemberRows::Constant(5, 6, 0.25), {{3, "it failed"}}});
  writer.commit(0.1, false);
  return seed_of(path);
}

const std::array<Seed, 3>& seeds() {
  hamel::hdf5::silence();
  static const std::array<Seed, 3> all{seed_of("tests/record/format1.h5"), new_record(), new_sweep()};
  return all;
}

Handle type_of(std::uint16_t a) {
  const std::array<hid_t, 8> types{H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT, H5T_NATIVE_LLONG,
                                   H5T_NATIVE_UINT64, H5T_NATIVE_UCHAR, H5T_IEEE_F64BE, H5T_C_S1};
  Handle type(H5Tcopy(types[a % types.size()]), H5Tclose, "make a type");
  if (a % types.size() == types.size() - 1) H5Tset_size(type, a / 8 % 64 == 0 ? H5T_VARIABLE : a / 8 % 64);
  return type;
}

// Of up to three dimensions, small or huge.
Handle space_of(std::uint32_t b, bool extensible) {
  const int rank = static_cast<int>(b % 4);
  if (b % 16 == 15) return {H5Screate(H5S_NULL), H5Sclose, "make a shape"};
  if (rank == 0) return {H5Screate(H5S_SCALAR), H5Sclose, "make a shape"};
  std::array<hsize_t, 3> shape{b / 16 % 32, b / 512 % 8, 1 + b / 4096 % 4}, largest{};
  largest.fill(H5S_UNLIMITED);
  if (b >> 30 == 1) shape[0] = hsize_t{1} << (b >> 20 & 63);
  return {H5Screate_simple(rank, shape.data(), extensible ? largest.data() : nullptr), H5Sclose, "make a shape"};
}

void edit_attribute(hid_t file, const Seed& seed, const Edit& edit) {
  const auto& [object, name] = seed.attributes[(edit.object + 256U * (edit.b >> 24)) % seed.attributes.size()];
  H5Adelete_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT);
  const Handle type = type_of(edit.a), space = space_of(edit.b & 0xfff, false);
  const Handle attribute(
      H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "make an attribute");
  const std::vector<std::uint64_t> values(1 << 16, H5Tis_variable_str(type) > 0 ? 0 : 0x4000000041424344 ^ edit.a);
  H5Awrite(attribute, type, values.data());
}

void edit_dataset(hid_t file, const Seed& seed, const Edit& edit) {
  const std::string& name = seed.datasets[edit.object % seed.datasets.size()];
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const bool chunked = edit.b % 4 > 0 && edit.b % 16 != 15 && edit.a & 0x8000;
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
  const std::array<hsize_t, 3> chunk{1 + edit.a / 64U % 256, 1 + edit.a / 8U % 8, 1};
  if (chunked) H5Pset_chunk(properties, static_cast<int>(edit.b % 4), chunk.data());
  const Handle dataset(
      H5Dcreate2(file, name.c_str(), type_of(edit.a), space_of(edit.b, chunked), H5P_DEFAULT, properties, H5P_DEFAULT),
      H5Dclose, "make a dataset");
}

// One element, or all of a row: some number.
void edit_numbers(hid_t file, const Seed& seed, const Edit& edit) {
  const Handle dataset(H5Dopen2(file, seed.datasets[edit.object % seed.datasets.size()].c_str(), H5P_DEFAULT), H5Dclose,
                       "open a dataset");
  const Handle space(H5Dget_space(dataset), H5Sclose, "find the place"),
      type(H5Dget_type(dataset), H5Tclose, "read it");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::size_t size = H5Tget_size(type);
  if (count <= 0 || count > 1 << 16 || H5Tis_variable_str(type) > 0 || size > 1 << 12) return;
  std::vector<char> values(static_cast<std::size_t>(count) * size);
  H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  const std::uint64_t word = edit.b == 0 ? 0x7ff8000000000000 : std::uint64_t{edit.b} << (edit.a >> 10);
  std::memcpy(&values[edit.a % 1024U * size % values.size()], &word, std::min(size, sizeof word));
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void resize(hid_t file, const Seed& seed, const Edit& edit) {
  const Handle dataset(H5Dopen2(file, seed.datasets[edit.object % seed.datasets.size()].c_str(), H5P_DEFAULT), H5Dclose,
                       "open a dataset");
  const std::array<hsize_t, 2> size{edit.a % 64U, edit.b % 1024};
  H5Dset_extent(dataset, size.data());
}

// A savepoint of format 1 with other words, and the checksum that they should have.
void edit_savepoint(hid_t file, const Edit& edit) {
  const Handle dataset(H5Dopen2(file, "savepoints", H5P_DEFAULT), H5Dclose, "open the savepoints");
  const Handle space(H5Dget_space(dataset), H5Sclose, "find the place");
  if (H5Sget_simple_extent_npoints(space) != 1024) return;
  std::vector<std::uint64_t> words(1024);
  H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
  std::uint64_t* slot = &words[edit.object % 2 * 512];
  slot[edit.a % 512] = std::uint64_t{edit.b} << (edit.a >> 10);
  const std::uint64_t size = slot[0] % 511;
  slot[size] = hamel::hdf5::lookup3(reinterpret_cast<const unsigned char*>(slot), size * sizeof *slot);
  H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
}

void change(hid_t file, const Seed& seed, const Edit& edit) {
  switch (edit.kind % 8) {
    case 0:
    case 1:
      return edit_attribute(file, seed, edit);
    case 2:
    case 3:
      return edit_dataset(file, seed, edit);
    case 4:
      return edit_numbers(file, seed, edit);
    case 5:
      return resize(file, seed, edit);
    case 6:
      return edit_savepoint(file, edit);
    default:
      return;  // of bytes
  }
}

void tamper(const std::string& path, const Seed& seed, const std::vector<Edit>& edits) {
  std::string bytes = seed.bytes;
  for (const Edit& edit : edits)
    if (edit.kind % 8 == 7) bytes[edit.b % bytes.size()] = static_cast<char>(edit.a);
  std::ofstream(path, std::ios::binary) << bytes;
  const Handle file = open_to_edit(path);
  for (const Edit& edit : edits) change(file, seed, edit);
}

void read_sweep(const std::string& path) {
  const hamel::SweepReader reader(path);
  (void)reader.failures();
  (void)hamel::SweepTable(reader);
  hamel::write_csv(reader, path + ".csv", true);
}

void read(const std::string& path) {
  if (hamel::is_sweep_file(path)) return read_sweep(path);
  const hamel::RecordReader reader(path);
  std::ostringstream csv;
  hamel::write_csv(reader, csv);
  (void)reader.summary();
  (void)hamel::read_record(reader, {.at_most = 3});
}

}  // namespace

extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }  // where it fails
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  hamel::end_without_hdf5();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::vector<Edit> edits((size - 1) / sizeof(Edit));
  std::memcpy(edits.data(), data + 1, edits.size() * sizeof(Edit));
  const std::string path = folder() + "/record.h5";
  try {
    tamper(path, seeds()[data[0] % seeds().size()], edits);
  } catch (const std::runtime_error&) {  // what HDF5 does not make is no record
  }
  try {
    read(path);
  } catch (const std::runtime_error&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
