// Values as bytes, and back: what is stored lists its parts once, and the list writes and reads.
//
//   void list(Archive& archive, Energy& energy) { archive(energy.kinetic, energy.potential, energy.total); }
//
//   Archive out;                Archive in(out.bytes());
//   out(energy);                in(energy);
//
// Bytes that end too early, or sizes that do not fit in them, are refused.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hamel {

class Archive {
 public:
  Archive() : is_writing_(true) {}
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), is_writing_(false) {}

  bool is_writing() const { return is_writing_; }
  const std::string& bytes() const { return bytes_; }
  void need_end() const {
    if (next_ != bytes_.size()) throw std::invalid_argument("these bytes go on where they should end");
  }

  template <class... Parts>
  void operator()(Parts&... parts) {
    (part(parts), ...);
  }

 private:
  void raw(void* data, std::size_t size) {
    if (is_writing_) {
      bytes_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > bytes_.size() - next_) throw std::invalid_argument("these bytes end too early");
    bytes_.copy(static_cast<char*>(data), size, next_);
    next_ += size;
  }

  // How many parts follow, each of at least one byte.
  std::size_t count(std::size_t written) {
    std::uint64_t number = written;
    raw(&number, sizeof number);
    if (!is_writing_ && number > bytes_.size() - next_) throw std::invalid_argument("these bytes end too early");
    return static_cast<std::size_t>(number);
  }

  template <class T>
  void part(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      auto byte = static_cast<unsigned char>(value);
      raw(&byte, 1);
      value = byte != 0;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::complex<double>>) {
      raw(&value, sizeof value);
    } else {
      list(*this, value);
    }
  }
  void part(std::string& text) {
    text.resize(count(text.size()));
    raw(text.data(), text.size());
  }
  void part(Eigen::MatrixXd& matrix) { matrix_part(matrix); }
  void part(Eigen::VectorXd& vector) { matrix_part(vector); }
  void part(Eigen::VectorXcd& vector) { matrix_part(vector); }
  template <class M>
  void matrix_part(M& matrix) {
    Eigen::Index rows = matrix.rows(), cols = matrix.cols();
    (*this)(rows, cols);
    const auto most = static_cast<Eigen::Index>(bytes_.size() / sizeof(typename M::Scalar));
    if (!is_writing_ && (rows < 0 || cols < 0 || (cols > 0 && rows > most / cols)))
      throw std::invalid_argument("these bytes end too early");
    matrix.resize(rows, cols);
    raw(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(typename M::Scalar));
  }
  template <class T>
  void part(std::optional<T>& value) {
    bool exists = value.has_value();
    part(exists);
    if (!exists)
      value.reset();
    else if (is_writing_)
      part(*value);
    else
      value = read<T>();
  }
  template <class A, class B>
  void part(std::pair<A, B>& pair) {
    (*this)(pair.first, pair.second);
  }
  void part(std::vector<bool>& values) {
    values.resize(count(values.size()));
    for (std::size_t k = 0; k < values.size(); ++k) {
      bool value = values[k];
      part(value);
      values[k] = value;
    }
  }
  template <class T>
  void part(std::vector<T>& values) {
    const std::size_t size = count(values.size());
    if (is_writing_) {
      for (T& value : values) part(value);
      return;
    }
    values.clear();
    for (std::size_t k = 0; k < size; ++k) values.push_back(read<T>());
  }
  template <class T>
  void part(std::set<T>& values) {
    std::vector<T> all(values.begin(), values.end());
    part(all);
    if (!is_writing_) values = {all.begin(), all.end()};
  }
  template <class K, class V>
  void part(std::map<K, V>& values) {
    std::vector<std::pair<K, V>> all(values.begin(), values.end());
    part(all);
    if (!is_writing_) values = {all.begin(), all.end()};
  }
  // What has no value before it is read says so by a function blank(T*).
  template <class T>
  T read() {
    if constexpr (std::is_default_constructible_v<T>) {
      T value{};
      part(value);
      return value;
    } else {
      T value = blank(static_cast<T*>(nullptr));
      part(value);
      return value;
    }
  }

  std::string bytes_;
  std::size_t next_ = 0;
  bool is_writing_;
};

}  // namespace hamel
