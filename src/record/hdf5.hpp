// HDF5's C interface, made safe: handles that close themselves, return codes that become exceptions.
//
// A file may come from a stranger. So everything that reads compares class, size and shape with what it expects, and
// sizes with that of the file, before it reads; what does not fit is refused by name.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hamel::hdf5 {

// Throws std::runtime_error: "cannot <what>: <what HDF5 says>".
[[noreturn]] void fail(const std::string& what);

template <class Result>
Result checked(Result result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

// An identifier of HDF5 and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close closing, const std::string& what) : id_(checked(id, what)), close_(closing) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): what HDF5 takes
  bool is_open() const { return id_ >= 0; }
  void close(const std::string& what) { checked(close_(std::exchange(id_, H5I_INVALID_HID)), what); }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// HDF5 writes its errors to standard error; here they are in our messages. Call before anything else.
void silence();

Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
hsize_t file_size(hid_t object);  // of the file that it is in
// In this file, not in another one that it names, and stored as it is, without filters.
Handle open_dataset(hid_t parent, const std::string& name);

void write_attribute(hid_t object, const std::string& name, const std::string& value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, long long value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
std::string read_text_attribute(hid_t object, const std::string& name);
double read_number_attribute(hid_t object, const std::string& name);  // may be infinite
double read_finite_attribute(hid_t object, const std::string& name);
int read_integer_attribute(hid_t object, const std::string& name);
bool read_flag_attribute(hid_t object, const std::string& name);
std::uint64_t read_word_attribute(hid_t object, const std::string& name);
bool has_attribute(hid_t object, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);
bool is_text_attribute(hid_t object, const std::string& name);

// Datasets of a fixed size. Texts have no limit on their length, as attributes have.
void write_text(hid_t parent, const std::string& name, const std::string& text);
std::string read_text(hid_t parent, const std::string& name);
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(hid_t parent, const std::string& name);
void write_integers(hid_t parent, const std::string& name, const std::vector<hsize_t>& shape,
                    const std::vector<int>& values);
std::vector<int> read_integers(hid_t parent, const std::string& name);

struct Numbers {
  std::vector<hsize_t> shape;  // empty: a scalar
  std::vector<double> values;
};
void write_numbers(hid_t parent, const std::string& name, const Numbers& numbers);
Numbers read_numbers(hid_t parent, const std::string& name);

// Datasets that are read in parts: of double or std::uint64_t.
template <class Number>
std::vector<hsize_t> extents(hid_t dataset, hsize_t times = 1);  // at most so many times what the file has room for
struct Part {
  std::vector<hsize_t> start, count, stride;
};
template <class Number>
void read_part(hid_t dataset, const Part& part, Number* to);

}  // namespace hamel::hdf5
