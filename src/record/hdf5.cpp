#include "record/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace hamel::hdf5 {
namespace {

herr_t keep_deepest([[maybe_unused]] unsigned depth, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type of text");
  checked(H5Tset_size(type, std::max<std::size_t>(size, 1)), "make a type of text");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "make a type of text");
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "make a type of text");
  return type;
}

Handle space_of(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "make a scalar"};
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, "make a shape"};
}

void write_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* data) {
  const std::string what = "write " + name;
  const Handle space = space_of(shape);
  const Handle dataset(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
                       what);
  if (checked(H5Sget_simple_extent_npoints(space), what) > 0)
    checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), what);
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* data) {
  const std::string what = "write the attribute " + name;
  const Handle space = space_of({});
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  checked(H5Awrite(attribute, type, data), what);
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "find the attribute " + name};
}

// It would end the text where it is read.
void need_no_null(const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos)
    throw std::invalid_argument(fmt::format("a null character cannot be recorded: it is in {}", name));
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw std::runtime_error(name + " " + what);
}

// "/q"; what is longer than any name of ours is cut.
std::string name_of(hid_t object) {
  std::array<char, 200> name{};
  H5Iget_name(object, name.data(), name.size());
  return name.data();
}

std::string attribute_name(hid_t object, const std::string& name) {
  return fmt::format("the attribute `{}` of {}", name, name_of(object));
}

void need_fixed_text(hid_t type, const std::string& name) {
  if (H5Tget_class(type) != H5T_STRING) refuse(name, "is not text");
  if (checked(H5Tis_variable_str(type), "read " + name) > 0)
    refuse(name, "is text of variable length; records have text of a fixed length");
}

template <class Number>
struct Stored;  // what a number may be in a file, and what it is here
template <>
struct Stored<double> {
  static constexpr const char* what = "64-bit floating-point numbers";
  static std::array<hid_t, 2> in_file() { return {H5T_IEEE_F64LE, H5T_IEEE_F64BE}; }
  static hid_t here() { return H5T_NATIVE_DOUBLE; }
};
template <>
struct Stored<std::uint64_t> {
  static constexpr const char* what = "64-bit integers without sign";
  static std::array<hid_t, 2> in_file() { return {H5T_STD_U64LE, H5T_STD_U64BE}; }
  static hid_t here() { return H5T_NATIVE_UINT64; }
};
template <>
struct Stored<long long> {
  static constexpr const char* what = "64-bit integers";
  static std::array<hid_t, 2> in_file() { return {H5T_STD_I64LE, H5T_STD_I64BE}; }
  static hid_t here() { return H5T_NATIVE_LLONG; }
};
template <>
struct Stored<int> {
  static constexpr const char* what = "32-bit integers";
  static std::array<hid_t, 2> in_file() { return {H5T_STD_I32LE, H5T_STD_I32BE}; }
  static hid_t here() { return H5T_NATIVE_INT; }
};

template <class Number>
bool is_stored(hid_t type) {
  const auto in_file = Stored<Number>::in_file();
  return std::any_of(in_file.begin(), in_file.end(), [&](hid_t one) { return H5Tequal(type, one) > 0; });
}

std::vector<hsize_t> shape_of(hid_t space, const std::string& name) {
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind != H5S_SCALAR && kind != H5S_SIMPLE) refuse(name, "has no shape");
  const int rank = checked(H5Sget_simple_extent_ndims(space), "read the shape of " + name);
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  checked(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "read the shape of " + name);
  return shape;
}

// The size of so many elements, if the file can hold them.
hsize_t bytes_of(const std::vector<hsize_t>& shape, hsize_t element, hsize_t limit, const std::string& name) {
  hsize_t bytes = element;
  for (const hsize_t extent : shape) {
    if (extent > 0 && bytes > limit / extent)
      refuse(name, fmt::format("claims {} elements of {} bytes; at most {} bytes are possible", fmt::join(shape, " x "),
                               element, limit));
    bytes *= extent;
  }
  if (bytes > limit) refuse(name, fmt::format("claims {} bytes; at most {} are possible", bytes, limit));
  return bytes;
}

struct Contents {
  std::vector<hsize_t> shape;
  hsize_t bytes;
};

// Nor does HDF5 make room for a chunk that cannot be there.
void need_possible_chunks(hid_t dataset, hsize_t element, hsize_t limit) {
  const std::string name = name_of(dataset), what = "read the layout of " + name;
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, what);
  if (H5Pget_layout(properties) != H5D_CHUNKED) return;
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = checked(H5Pget_chunk(properties, H5S_MAX_RANK, chunk.data()), what);
  bytes_of({chunk.begin(), chunk.begin() + rank}, element, limit, "a chunk of " + name);
}

Contents contents_of(hid_t dataset, hsize_t element, hsize_t limit) {
  const std::string name = name_of(dataset);
  const Handle space(H5Dget_space(dataset), H5Sclose, "read the shape of " + name);
  const std::vector<hsize_t> shape = shape_of(space, name);
  const hsize_t bytes = bytes_of(shape, element, limit, name);
  if (bytes > 0) need_possible_chunks(dataset, element, limit);
  return {shape, bytes};
}

// What describes a run is read at once, and is small.
constexpr hsize_t most_bytes = hsize_t{64} << 20, most_texts = hsize_t{1} << 20;

template <class Number>
void need_type(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of " + name_of(dataset));
  if (!is_stored<Number>(type)) refuse(name_of(dataset), fmt::format("does not hold {}", Stored<Number>::what));
}

template <class Number>
std::vector<Number> read_all(hid_t dataset, std::vector<hsize_t>* shape = nullptr) {
  need_type<Number>(dataset);
  const Contents contents = contents_of(dataset, sizeof(Number), std::min(most_bytes, file_size(dataset)));
  if (shape != nullptr) *shape = contents.shape;
  std::vector<Number> values(contents.bytes / sizeof(Number));
  if (!values.empty())
    checked(H5Dread(dataset, Stored<Number>::here(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            "read " + name_of(dataset));
  return values;
}

// Of one element; its type is for the caller to compare.
Handle type_of_attribute(hid_t object, const std::string& name, hid_t attribute) {
  const std::string what = attribute_name(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, "read the shape of " + what);
  for (const hsize_t extent : shape_of(space, what))
    if (extent != 1) refuse(what, fmt::format("has {} values where one is expected", extent));
  return {H5Aget_type(attribute), H5Tclose, "read the type of " + what};
}

// Links may lead to other files, which are none of a record's business.
void need_own(hid_t parent, const std::string& name) {
  for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    H5L_info_t link{};
    checked(H5Lget_info(parent, part.c_str(), &link, H5P_DEFAULT), fmt::format("find {} in {}", part, name_of(parent)));
    if (link.type != H5L_TYPE_HARD) refuse(part, "is a link to somewhere else");
    if (end == std::string::npos) return;
  }
}

void need_plain_storage(hid_t dataset) {
  const std::string name = name_of(dataset), what = "read the layout of " + name;
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, what);
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED) refuse(name, "is a virtual dataset");
  if (checked(H5Pget_external_count(properties), what) > 0) refuse(name, "is stored in another file");
  if (checked(H5Pget_nfilters(properties), what) > 0)
    refuse(name, "is compressed or filtered; records are not: h5repack -f NONE undoes it");
}

std::string up_to_null(const char* begin, std::size_t size) { return {begin, std::find(begin, begin + size, '\0')}; }

}  // namespace

void fail(const std::string& what) {
  std::string why = "HDF5 does not say why";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_deepest, &why);
  std::string deepest = why;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_deepest, &deepest);
  H5Eclear2(H5E_DEFAULT);
  throw std::runtime_error(fmt::format("cannot {}: {}{}", what, deepest, why == deepest ? "" : " (" + why + ")"));
}

void silence() { checked(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "start HDF5"); }

hsize_t file_size(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose, "find the file");
  hsize_t size = 0;
  checked(H5Fget_filesize(file, &size), "find the size of the file");
  return size;
}

Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make the group " + name};
}

Handle open_group(hid_t parent, const std::string& name) {
  need_own(parent, name);
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "find the group " + name};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  need_own(parent, name);
  Handle dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "find the dataset " + name);
  need_plain_storage(dataset);
  return dataset;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  need_no_null(name, value);
  write_attribute(object, name, text_type(value.size()), value.c_str());
}
void write_attribute(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}
void write_attribute(hid_t object, const std::string& name, long long value) {
  write_attribute(object, name, H5T_NATIVE_LLONG, &value);
}
void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  write_attribute(object, name, H5T_NATIVE_UINT64, &value);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = type_of_attribute(object, name, attribute);
  const std::string what = attribute_name(object, name);
  need_fixed_text(type, what);
  std::vector<char> text(bytes_of({}, H5Tget_size(type), std::min(most_bytes, file_size(object)), what));
  checked(H5Aread(attribute, type, text.data()), "read " + what);
  return up_to_null(text.data(), text.size());
}

double read_number_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = type_of_attribute(object, name, attribute);
  const std::string what = attribute_name(object, name);
  if (!is_stored<double>(type) && !is_stored<long long>(type)) refuse(what, "is not a number of 64 bits");
  double value = 0;
  checked(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "read " + what);
  if (std::isnan(value)) refuse(what, "is not a number");
  return value;
}

double read_finite_attribute(hid_t object, const std::string& name) {
  const double value = read_number_attribute(object, name);
  if (!std::isfinite(value)) refuse(attribute_name(object, name), "is not finite");
  return value;
}

int read_integer_attribute(hid_t object, const std::string& name) {
  const double value = read_finite_attribute(object, name);
  if (value != std::floor(value) || std::abs(value) > std::numeric_limits<int>::max())
    refuse(attribute_name(object, name), fmt::format("is {}, not an integer of 32 bits", value));
  return static_cast<int>(value);
}

bool read_flag_attribute(hid_t object, const std::string& name) {
  const int value = read_integer_attribute(object, name);
  if (value != 0 && value != 1) refuse(attribute_name(object, name), fmt::format("is {}, not 0 or 1", value));
  return value == 1;
}

std::uint64_t read_word_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = type_of_attribute(object, name, attribute);
  const std::string what = attribute_name(object, name);
  if (!is_stored<std::uint64_t>(type)) refuse(what, "is not an integer of 64 bits without sign");
  std::uint64_t value = 0;
  checked(H5Aread(attribute, H5T_NATIVE_UINT64, &value), "read " + what);
  return value;
}

bool has_attribute(hid_t object, const std::string& name) {
  return checked(H5Aexists(object, name.c_str()), "look for the attribute " + name) > 0;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), "list attributes");
  return names;
}

bool is_text_attribute(hid_t object, const std::string& name) {
  const Handle type(H5Aget_type(open_attribute(object, name)), H5Tclose, "read the attribute " + name);
  return H5Tget_class(type) == H5T_STRING;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  need_no_null(name, text);
  write_dataset(parent, name, text_type(text.size()), {}, text.c_str());
}

std::string read_text(hid_t parent, const std::string& name) {
  const std::vector<std::string> texts = read_texts(parent, name);
  if (texts.size() != 1) refuse(name, fmt::format("has {} texts where one is expected", texts.size()));
  return texts.front();
}

void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    need_no_null(name, text);
    longest = std::max(longest, text.size());
  }
  std::string all(longest * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) std::copy(texts[k].begin(), texts[k].end(), &all[k * longest]);
  write_dataset(parent, name, text_type(longest), {texts.size()}, all.data());
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, "read the type of " + name_of(dataset));
  need_fixed_text(type, name_of(dataset));
  const std::size_t size = H5Tget_size(type);
  const Contents contents = contents_of(dataset, size, std::min(most_bytes, file_size(dataset)));
  if (contents.shape.size() > 1 || contents.bytes / size > most_texts)
    refuse(name_of(dataset), "is not a list of texts, or longer than any that a record has");
  std::vector<char> all(contents.bytes);
  if (!all.empty()) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "read " + name);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size(); at += size) texts.push_back(up_to_null(&all[at], size));
  return texts;
}

void write_numbers(hid_t parent, const std::string& name, const Numbers& numbers) {
  write_dataset(parent, name, H5T_NATIVE_DOUBLE, numbers.shape, numbers.values.data());
}
Numbers read_numbers(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  Numbers numbers;
  numbers.values = read_all<double>(dataset, &numbers.shape);
  for (const double number : numbers.values)
    if (!std::isfinite(number)) refuse(name_of(dataset), "has a number that is not finite");
  return numbers;
}

void write_integers(hid_t parent, const std::string& name, const std::vector<hsize_t>& shape,
                    const std::vector<int>& values) {
  write_dataset(parent, name, H5T_NATIVE_INT, shape, values.data());
}
std::vector<int> read_integers(hid_t parent, const std::string& name) {
  return read_all<int>(open_dataset(parent, name));
}

template <class Number>
std::vector<hsize_t> extents(hid_t dataset, hsize_t times) {
  need_type<Number>(dataset);
  return contents_of(dataset, sizeof(Number), times * file_size(dataset)).shape;
}

template <class Number>
void read_part(hid_t dataset, const Part& part, Number* to) {
  const std::string what = "read " + name_of(dataset);
  need_type<Number>(dataset);
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  if (shape_of(space, name_of(dataset)).size() != part.count.size()) refuse(name_of(dataset), "has another shape");
  const Handle memory(H5Screate_simple(static_cast<int>(part.count.size()), part.count.data(), nullptr), H5Sclose,
                      what);
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start.data(),
                              part.stride.empty() ? nullptr : part.stride.data(), part.count.data(), nullptr),
          what);
  checked(H5Dread(dataset, Stored<Number>::here(), memory, space, H5P_DEFAULT, to), what);
}

template std::vector<hsize_t> extents<double>(hid_t, hsize_t);
template std::vector<hsize_t> extents<std::uint64_t>(hid_t, hsize_t);
template void read_part(hid_t, const Part&, double*);
template void read_part(hid_t, const Part&, std::uint64_t*);

}  // namespace hamel::hdf5
