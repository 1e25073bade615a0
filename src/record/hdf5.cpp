#include "record/hdf5.hpp"

#include <fmt/core.h>

#include <algorithm>
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

std::size_t points(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "read the shape of a dataset");
  return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space), "read the shape of a dataset"));
}

template <class Number>
std::vector<Number> read_values(hid_t parent, const std::string& name, hid_t type) {
  const Handle dataset = open_dataset(parent, name);
  std::vector<Number> values(points(dataset));
  if (!values.empty()) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read " + name);
  return values;
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

Handle create_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "make the group " + name};
}

Handle open_group(hid_t parent, const std::string& name) {
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "find the group " + name};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, "find the dataset " + name};
}

std::vector<hsize_t> extents(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "read the shape of a dataset");
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space), "read the shape of a dataset")));
  checked(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "read the shape of a dataset");
  return shape;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  write_attribute(object, name, text_type(value.size()), value.c_str());
}
void write_attribute(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}
void write_attribute(hid_t object, const std::string& name, long long value) {
  write_attribute(object, name, H5T_NATIVE_LLONG, &value);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, "read the attribute " + name);
  std::vector<char> text(H5Tget_size(type));
  checked(H5Aread(attribute, type, text.data()), "read the attribute " + name);
  return up_to_null(text.data(), text.size());
}

double read_number_attribute(hid_t object, const std::string& name) {
  double value = 0;
  checked(H5Aread(open_attribute(object, name), H5T_NATIVE_DOUBLE, &value), "read the attribute " + name);
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
  write_dataset(parent, name, text_type(text.size()), {}, text.c_str());
}

std::string read_text(hid_t parent, const std::string& name) {
  const std::vector<std::string> texts = read_texts(parent, name);
  return texts.empty() ? "" : texts.front();
}

void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all(longest * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) std::copy(texts[k].begin(), texts[k].end(), &all[k * longest]);
  write_dataset(parent, name, text_type(longest), {texts.size()}, all.data());
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, "read " + name);
  const std::size_t size = H5Tget_size(type), count = points(dataset);
  std::vector<char> all(size * count);
  if (count > 0) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "read " + name);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) texts.push_back(up_to_null(&all[k * size], size));
  return texts;
}

void write_numbers(hid_t parent, const std::string& name, const std::vector<hsize_t>& shape,
                   const std::vector<double>& values) {
  write_dataset(parent, name, H5T_NATIVE_DOUBLE, shape, values.data());
}
std::vector<double> read_numbers(hid_t parent, const std::string& name) {
  return read_values<double>(parent, name, H5T_NATIVE_DOUBLE);
}

void write_integers(hid_t parent, const std::string& name, const std::vector<hsize_t>& shape,
                    const std::vector<int>& values) {
  write_dataset(parent, name, H5T_NATIVE_INT, shape, values.data());
}
std::vector<int> read_integers(hid_t parent, const std::string& name) {
  return read_values<int>(parent, name, H5T_NATIVE_INT);
}

}  // namespace hamel::hdf5
