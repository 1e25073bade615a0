// Records that nobody wrote: whatever stands in a file is read as what it should be, or refused by name.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <sstream>

#include "hamel/record/csv.hpp"
#include "program/temporary.hpp"
#include "record/examples.hpp"
#include "record/file_driver.hpp"
#include "record/lookup3.hpp"

namespace hamel::test {
namespace {

namespace fs = std::filesystem;
using hdf5::Handle;

using Shape = std::vector<hsize_t>;

Handle simple_space(const Shape& shape) {
  const int rank = static_cast<int>(shape.size());
  return {rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape.data(), nullptr), H5Sclose, "make a space"};
}

Handle text_of(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  hdf5::checked(H5Tset_size(type, size), "make a type");
  return type;
}

void put_attribute(hid_t file, const char* object, const char* name, hid_t type, const Shape& shape, const void* data) {
  if (H5Aexists_by_name(file, object, name, H5P_DEFAULT) > 0) H5Adelete_by_name(file, object, name, H5P_DEFAULT);
  const Handle attribute(
      H5Acreate_by_name(file, object, name, type, simple_space(shape), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      "make an attribute");
  hdf5::checked(H5Awrite(attribute, type, data), "write an attribute");
}

void put_dataset(hid_t file, const char* name, hid_t type, hid_t space, hid_t properties = H5P_DEFAULT) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                       "make a dataset");
}

void put_zeros(hid_t file, const char* name, hid_t type, const Shape& shape, const Shape& chunk = {},
               bool compressed = false) {
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
  if (!chunk.empty()) H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  if (compressed) H5Pset_shuffle(properties);
  const Shape unlimited(shape.size(), H5S_UNLIMITED);
  const Handle space = simple_space(shape);
  if (!chunk.empty()) H5Sset_extent_simple(space, static_cast<int>(shape.size()), shape.data(), unlimited.data());
  put_dataset(file, name, type, space, properties);
}

void resize(hid_t file, const char* name, hsize_t rows) {
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, "open a dataset");
  hdf5::checked(H5Dset_extent(dataset, &rows), "resize a dataset");
}

// One number of a dataset of doubles or integers.
template <class Number>
void poke(hid_t file, const char* name, hid_t type, const Shape& at, Number value) {
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, "open a dataset");
  const Handle space(H5Dget_space(dataset), H5Sclose, "find a number");
  const Shape one(at.size(), 1);
  if (!at.empty()) H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, one.data(), nullptr);
  hdf5::checked(H5Dwrite(dataset, type, simple_space(at.empty() ? Shape{} : Shape{1}), space, H5P_DEFAULT, &value),
                "write a number");
}

struct Attack {
  const char* name;
  const char* message;  // what every way of reading says
  std::function<void(hid_t file)> make;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const std::vector<double> many_numbers(64, 1e300);
const std::string long_text(5000, 'A');

Attack number(const char* name, const char* message, hid_t (*type)(), const Shape& shape, const void* data) {
  return {name, message, [=](hid_t file) { put_attribute(file, "integrator", "until", type(), shape, data); }};
}

const char* const pointer_to_text = "text";
const float one_float = 1;

std::vector<Attack> attacks_on_attributes() {
  const auto real = [] { return hid_t{H5T_NATIVE_DOUBLE}; };
  return {
      number("ManyNumbers", "the attribute `until` of /integrator has 64 values where one is expected", real, {64},
             many_numbers.data()),
      number("NumberThatIsNotOne", "the attribute `until` of /integrator is not a number", real, {}, &nan),
      number("InfiniteNumber", "the attribute `until` of /integrator is not finite", real, {}, &infinity),
      number(
          "NumberOf32Bits", "the attribute `until` of /integrator is not a number of 64 bits",
          [] { return hid_t{H5T_NATIVE_FLOAT}; }, {}, &one_float),
      {"TextForANumber", "the attribute `until` of /integrator is not a number of 64 bits",
       [](hid_t file) { put_attribute(file, "integrator", "until", text_of(5000), {}, long_text.data()); }},
      {"NumberForAText", "the attribute `name` of /model is not text",
       [](hid_t file) { put_attribute(file, "model", "name", H5T_NATIVE_DOUBLE, {}, &infinity); }},
      {"ManyTexts", "the attribute `name` of /model has 50 values where one is expected",
       [](hid_t file) { put_attribute(file, "model", "name", text_of(100), {50}, long_text.data()); }},
      {"TextOfVariableLength", "the attribute `name` of /model is text of variable length",
       [](hid_t file) { put_attribute(file, "model", "name", text_of(H5T_VARIABLE), {}, &pointer_to_text); }},
      {"UnitOfVariableLength", "the attribute `time` of /units is text of variable length",
       [](hid_t file) { put_attribute(file, "units", "time", text_of(H5T_VARIABLE), {}, &pointer_to_text); }},
      {"IntegerBeyondAll", "the attribute `halvings` of /integrator is 1e+300, not an integer of 32 bits",
       [](hid_t file) { put_attribute(file, "integrator", "halvings", H5T_NATIVE_DOUBLE, {}, many_numbers.data()); }},
      {"FlagThatIsNone", "the attribute `has_energy` of /model is 1e+300, not an integer of 32 bits",
       [](hid_t file) { put_attribute(file, "model", "has_energy", H5T_NATIVE_DOUBLE, {}, many_numbers.data()); }},
  };
}

std::vector<Attack> attacks_on_columns() {
  const auto zeros = [](const char* name, const char* message, hid_t (*type)(), const Shape& shape,
                        const Shape& chunk = {}, bool compressed = false) {
    return Attack{name, message, [=](hid_t file) { put_zeros(file, "q", type(), shape, chunk, compressed); }};
  };
  const auto real = [] { return hid_t{H5T_NATIVE_DOUBLE}; };
  const hsize_t huge = 1 << 30;
  return {
      zeros("Scalar", "/q has the shape [], not rows of 6", real, {}),
      zeros("Flat", "/q has the shape [21], not rows of 6", real, {21}),
      zeros("Wide", "/q has the shape [21 x 7], not rows of 6", real, {21, 7}),
      zeros("Empty", "/q has 0 rows, where the savepoint says 21", real, {0, 6}),
      zeros("Floats", "/q does not hold 64-bit floating-point numbers", [] { return hid_t{H5T_NATIVE_FLOAT}; },
            {21, 6}),
      zeros("Integers", "/q does not hold 64-bit floating-point numbers", [] { return hid_t{H5T_NATIVE_LLONG}; },
            {21, 6}),
      zeros("Huge", "/q claims 1073741824 x 6 elements of 8 bytes", real, {huge, 6}),
      zeros("HugeInChunks", "/q claims 1073741824 x 6 elements of 8 bytes", real, {huge, 6}, {16, 6}),
      zeros("Overflowing", "/q claims 1152921504606846976 x 16 elements", real, {hsize_t{1} << 60, 16}, {16, 16}),
      zeros("HugeChunk", "a chunk of /q claims 33554432 x 6 elements", real, {21, 6}, {1 << 25, 6}),
      zeros("Filtered", "/q is compressed or filtered", real, {21, 6}, {16, 6}, true),
      {"Nothing", "/q has no shape",
       [](hid_t file) {
         put_dataset(file, "q", H5T_NATIVE_DOUBLE, Handle(H5Screate(H5S_NULL), H5Sclose, "make a space"));
       }},
      {"Texts", "/q does not hold 64-bit floating-point numbers",
       [](hid_t file) {
         put_zeros(file, "q", text_of(8), {21, 6});
       }},
      {"TextsOfVariableLength", "/q does not hold 64-bit floating-point numbers",
       [](hid_t file) {
         put_zeros(file, "q", text_of(H5T_VARIABLE), {21, 6});
       }},
      {"Gone", "cannot find q in /", [](hid_t file) { H5Ldelete(file, "q", H5P_DEFAULT); }},
      {"Group", "cannot find the dataset q",
       [](hid_t file) {
         H5Ldelete(file, "q", H5P_DEFAULT);
         hdf5::create_group(file, "q");
       }},
      {"InAnotherFile", "q is a link to somewhere else",
       [](hid_t file) {
         H5Ldelete(file, "q", H5P_DEFAULT);
         H5Lcreate_external("/etc/passwd", "/q", file, "q", H5P_DEFAULT, H5P_DEFAULT);
       }},
      {"BytesOfAnotherFile", "/q is stored in another file",
       [](hid_t file) {
         const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "prepare a dataset");
         H5Pset_external(properties, "/etc/passwd", 0, H5F_UNLIMITED);
         put_dataset(file, "q", H5T_NATIVE_DOUBLE, simple_space({21, 6}), properties);
       }},
      {"Longer", "/manifold_error has 22 rows, where the savepoint says 21",
       [](hid_t file) { resize(file, "manifold_error", 22); }},
      {"Shorter", "/manifold_error has 20 rows, where the savepoint says 21; the 20 rows before are whole",
       [](hid_t file) { resize(file, "manifold_error", 20); }},
  };
}

std::vector<Attack> attacks_on_values() {
  return {
      {"NotANumber", "/v is not finite in row 7, the one after t = 0.06; the 7 rows before are whole",
       [](hid_t file) {
         poke(file, "v", H5T_NATIVE_DOUBLE, {7, 2}, nan);
       }},
      {"NotFiniteAtFirst", "/energy/total is not finite",
       [](hid_t file) { poke(file, "energy/total", H5T_NATIVE_DOUBLE, {0}, infinity); }},
      {"TimeGoesBack", "/time does not go on in row 9, the one after t = 0.08; the 9 rows before are whole",
       [](hid_t file) { poke(file, "time", H5T_NATIVE_DOUBLE, {9}, 0.07); }},
      {"TimeStands", "/time does not go on in row 9",
       [](hid_t file) { poke(file, "time", H5T_NATIVE_DOUBLE, {9}, 0.08); }},
  };
}

std::vector<Attack> attacks_on_descriptions() {
  return {
      {"ParameterThatIsNotFinite", "/model/parameters/g has a number that is not finite",
       [](hid_t file) { poke(file, "model/parameters/g", H5T_NATIVE_DOUBLE, {}, nan); }},
      {"ParameterOfNothing", "the parameter `g` is neither a number nor a vector nor a matrix",
       [](hid_t file) { put_zeros(file, "model/parameters/g", H5T_NATIVE_DOUBLE, {0}); }},
      {"HugeParameter", "/model/parameters/g claims 1073741824 x 1073741824 elements",
       [](hid_t file) {
         put_zeros(file, "model/parameters/g", H5T_NATIVE_DOUBLE, {1 << 30, 1 << 30}, {16, 16});
       }},
      {"NameWithASlash", "parameter_order has a name that is none, or twice: `/q`",
       [](hid_t file) {
         put_zeros(file, "model/parameter_order", text_of(2), {1});
         const Handle dataset(H5Dopen2(file, "model/parameter_order", H5P_DEFAULT), H5Dclose, "open a dataset");
         H5Dwrite(dataset, text_of(2), H5S_ALL, H5S_ALL, H5P_DEFAULT, "/q");
       }},
      {"NoNames", "/columns: 0 names of /q and 6 of /v do not fit together",
       [](hid_t file) { put_zeros(file, "columns/q", text_of(3), {0}); }},
      {"HugeNames", "/columns/q claims 1073741824 elements of 3 bytes",
       [](hid_t file) { put_zeros(file, "columns/q", text_of(3), {1 << 30}); }},
      {"MatrixOfNames", "/columns/q is not a list of texts",
       [](hid_t file) {
         put_zeros(file, "columns/q", text_of(3), {2, 3});
       }},
      {"ModelOfVariableLength", "/model/text is text of variable length",
       [](hid_t file) { put_zeros(file, "model/text", text_of(H5T_VARIABLE), {}); }},
      {"ManyModels", "text has 2 texts where one is expected",
       [](hid_t file) { put_zeros(file, "model/text", text_of(3), {2}); }},
      {"HugeOutput", "/columns/output_shapes: 1073741824 x 1 is not the shape of anything",
       [](hid_t file) {
         poke(file, "columns/output_shapes", H5T_NATIVE_INT, {1, 0}, 1 << 30);
       }},
      {"OutputOfNothing", "/columns/output_shapes: -3 x 1 is not the shape of anything",
       [](hid_t file) {
         poke(file, "columns/output_shapes", H5T_NATIVE_INT, {1, 0}, -3);
       }},
      {"HugeSavepoint", "/savepoints claims 2 x 1099511627776 elements of 8 bytes",
       [](hid_t file) {
         put_zeros(file, "savepoints", H5T_NATIVE_UINT64, {2, hsize_t{1} << 40}, {1, 512});
       }},
      {"NoSavepoint", "none of its two savepoints can be read",
       [](hid_t file) {
         put_zeros(file, "savepoints", H5T_NATIVE_UINT64, {2, 512}, {1, 512});
       }},
      {"SavepointOfNumbers", "/savepoints does not hold 64-bit integers without sign",
       [](hid_t file) {
         put_zeros(file, "savepoints", H5T_NATIVE_DOUBLE, {2, 512}, {1, 512});
       }},
      {"NoFormat", "this is not a record of hamel",
       [](hid_t file) { put_attribute(file, ".", "format", H5T_NATIVE_DOUBLE, {}, &nan); }},
  };
}

class Hostile : public testing::TestWithParam<Attack> {
 protected:
  void run() { recorded_run(example.system, example.start, Variational{0.01}, wanted, example.header); }
  static std::string csv(const RecordReader& reader) {
    std::ostringstream text;
    write_csv(reader, text);
    return text.str();
  }
  void expect_refusal(const std::string& message) {
    EXPECT_EQ(message.rfind(wanted.path, 0), 0U) << message;
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  }

  const Folder folder;
  const Recorded example = double_pendulum_with_outputs();
  RunSettings wanted{.until = {0.2}, .outputs = example.outputs, .path = folder / "run.h5"};
};

// As report, convert and run --resume read it.
TEST_P(Hostile, IsRefusedByName) {
  run();
  const std::string whole = csv(RecordReader(wanted.path));
  {
    const Handle file(H5Fopen(wanted.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a record");
    GetParam().make(file);
  }
  expect_refusal(message_of([&] { read_record(wanted.path); }));
  expect_refusal(message_of([&] {
    const RecordReader reader(wanted.path);
    EXPECT_EQ(whole.rfind(csv(reader), 0), 0U) << "not the rows before";
    throw std::runtime_error(reader.damage());
  }));
  wanted.resume = true;
  wanted.until.t = 0.3;
  expect_refusal(message_of([&] { run(); }));
}

void put_texts(hid_t file, const char* name, const std::vector<std::string>& texts) {
  H5Ldelete(file, name, H5P_DEFAULT);
  hdf5::write_texts(file, name, texts);
}

// Records of format 1 had no checksums that would be noticed first.
class HostileFormat1 : public testing::Test {
 protected:
  HostileFormat1() { fs::copy_file(HAMEL_SOURCE_DIR "/tests/record/format1.h5", path); }
  Handle edit() const { return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a record"}; }
  std::string message() const {
    return message_of([&] { RecordReader reader(path); });
  }

  const Folder folder;
  const std::string path = folder / "run.h5";
};

TEST_F(HostileFormat1, TakesNoRoomForADatasetUnderManyNames) {
  {
    const Handle file = edit();
    std::vector<std::string> names;
    std::vector<int> shapes;
    for (int k = 0; k < 1000; ++k) {
      names.push_back("o" + std::to_string(k));
      shapes.insert(shapes.end(), {3, 1});
      H5Lcreate_hard(file, "q", file, ("outputs/" + names.back()).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
    put_texts(file, "columns/outputs", names);
    put_texts(file, "columns/output_formulas", names);
    H5Ldelete(file, "columns/output_shapes", H5P_DEFAULT);
    hdf5::write_integers(file, "columns/output_shapes", {1000, 2}, shapes);
  }
  EXPECT_NE(message().find(": it claims 11 rows of 3012 numbers, more than a file of"), std::string::npos) << message();
}

TEST_F(HostileFormat1, KnowsNumbersThatEndTooEarly) {
  {
    const Handle file = edit();
    std::vector<std::uint64_t> words(1024);
    const Handle dataset(H5Dopen2(file, "savepoints", H5P_DEFAULT), H5Dclose, "open the savepoints");
    hdf5::checked(H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()), "read");
    for (std::uint64_t* slot : {&words[0], &words[512]}) {
      slot[6] = std::uint64_t{1} << 60;  // how many numbers the statistics have
      slot[slot[0]] = hdf5::lookup3(reinterpret_cast<const unsigned char*>(slot), slot[0] * sizeof *slot);
    }
    hdf5::checked(H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()), "write");
  }
  EXPECT_EQ(message(), path + ": /savepoints ends too early");
}

const auto name_of_attack = [](const auto& attack) { return std::string(attack.param.name); };
INSTANTIATE_TEST_SUITE_P(Attributes, Hostile, testing::ValuesIn(attacks_on_attributes()), name_of_attack);
INSTANTIATE_TEST_SUITE_P(Columns, Hostile, testing::ValuesIn(attacks_on_columns()), name_of_attack);
INSTANTIATE_TEST_SUITE_P(Values, Hostile, testing::ValuesIn(attacks_on_values()), name_of_attack);
INSTANTIATE_TEST_SUITE_P(Descriptions, Hostile, testing::ValuesIn(attacks_on_descriptions()), name_of_attack);

}  // namespace
}  // namespace hamel::test
