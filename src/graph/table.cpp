#include "hamel/graph/table.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace hamel {

// Code that the library runs and that exported and native programs contain: the same bits everywhere.
#define HAMEL_TABLE_AT                                                            \
  static inline double table_at(int pieces, const double(*row)[5], double x) {    \
    int low = 0, high = pieces;                                                   \
    if (!(row[0][0] <= x && x <= row[pieces][0])) return __builtin_nan("");       \
    while (high - low > 1) {                                                      \
      const int middle = (low + high) / 2;                                        \
      if (row[middle][0] <= x)                                                    \
        low = middle;                                                             \
      else                                                                        \
        high = middle;                                                            \
    }                                                                             \
    const double s = x - row[low][0];                                             \
    return row[low][1] + s * (row[low][2] + s * (row[low][3] + s * row[low][4])); \
  }
#define HAMEL_TEXT(...) #__VA_ARGS__
#define HAMEL_TEXT_OF(...) HAMEL_TEXT(__VA_ARGS__)

const char* const table_code = HAMEL_TEXT_OF(HAMEL_TABLE_AT) "\n";

namespace {

HAMEL_TABLE_AT

using Row = double[5];

struct Table {
  double key;
  std::string name;
  std::vector<double> rows;
  double derivative;  // the key of it, or 0

  int pieces() const { return static_cast<int>(rows.size() / 5) - 1; }
  double at(double x) const { return table_at(pieces(), reinterpret_cast<const Row*>(rows.data()), x); }
};

// Tables are read while programs run, on any thread, and added seldom; none is ever removed.
constexpr std::size_t places = 1U << 14U, most_tables = places / 2;
std::array<std::atomic<const Table*>, places> registry;
std::mutex adding;
std::size_t number_of_tables = 0;

std::size_t place_of(double key) { return static_cast<std::size_t>(static_cast<std::uint64_t>(key) % places); }

const Table* find(double key) {
  if (!(key >= 1 && key < 0x1p52)) return nullptr;
  for (std::size_t at = place_of(key);; at = (at + 1) % places) {
    const Table* table = registry[at].load(std::memory_order_acquire);
    if (table == nullptr || table->key == key) return table;
  }
}

const Table& need(double key) {
  const Table* table = find(key);
  if (table == nullptr) throw std::invalid_argument(fmt::format("interp needs a table, and {} is none", key));
  return *table;
}

// FNV-1a, folded to 44 bits: 14 digits, which survive every way of printing.
double key_of(const std::string& name, std::span<const double> numbers) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&](std::uint64_t byte) { hash = (hash ^ byte) * 1099511628211U; };
  for (const char c : name) mix(static_cast<unsigned char>(c));
  for (const double number : numbers)
    for (unsigned shift = 0; shift < 64; shift += 8) mix(std::bit_cast<std::uint64_t>(number) >> shift & 0xFFU);
  return static_cast<double>(((hash >> 44U ^ hash) & 0xFFFFFFFFFFFU) | 0x80000000000U);
}

double add(std::unique_ptr<Table> table) {
  if (const Table* known = find(table->key); known != nullptr && known->rows == table->rows) return known->key;
  const std::lock_guard lock(adding);
  if (number_of_tables == most_tables)
    throw std::runtime_error(fmt::format("there are {} tables already; no more can be kept", most_tables));
  for (std::size_t at = place_of(table->key);; at = (at + 1) % places) {
    const Table* known = registry[at].load(std::memory_order_acquire);
    if (known == nullptr) {
      ++number_of_tables;
      registry[at].store(table.get(), std::memory_order_release);
      return table.release()->key;
    }
    if (known->key != table->key) continue;
    if (known->rows == table->rows) return known->key;
    table->key += 1;  // another table has this key, once in 2^43
  }
}

double add_rows(const std::string& name, const std::vector<double>& rows) {
  std::vector<double> slopes;
  bool is_flat = true;
  for (std::size_t k = 0; k < rows.size(); k += 5) {
    slopes.insert(slopes.end(), {rows[k], rows[k + 2], 2 * rows[k + 3], 3 * rows[k + 4], 0.0});
    is_flat = is_flat && rows[k + 2] == 0 && rows[k + 3] == 0 && rows[k + 4] == 0;
  }
  const double derivative = is_flat ? 0 : add_rows(name + "'", slopes);
  return add(std::make_unique<Table>(Table{key_of(name, rows), name, rows, derivative}));
}

void check(const std::string& name, std::span<const double> x, std::span<const double> y) {
  constexpr std::size_t most = 100'000;
  if (x.size() != y.size() || x.size() < 2 || x.size() > most)
    throw std::invalid_argument(fmt::format("the table {} needs 2 to {} points, as many x as y; it has {} and {}", name,
                                            most, x.size(), y.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw std::invalid_argument(fmt::format("point {} of the table {} is not finite", i + 1, name));
    if (i > 0 && !(x[i] > x[i - 1]))
      throw std::invalid_argument(
          fmt::format("the first column of the table {} must increase: {} comes after {}", name, x[i], x[i - 1]));
  }
}

// Two conditions more than points: the third derivative is continuous at the second point and the last but one.
std::vector<double> spline_slopes(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  const auto h = [&](std::size_t i) { return x[i + 1] - x[i]; };
  const auto m = [&](std::size_t i) { return (y[i + 1] - y[i]) / h(i); };
  if (n == 2) return {m(0), m(0)};
  if (n == 3) {
    const double bend = (m(1) - m(0)) / (x[2] - x[0]);
    return {m(0) - bend * h(0), m(0) + bend * h(0), m(1) + bend * h(1)};
  }
  std::vector<double> below(n), diagonal(n), above(n), s(n);
  const double first = h(0) + h(1), last = h(n - 3) + h(n - 2);
  diagonal[0] = h(1), above[0] = first;
  s[0] = ((h(0) + 2 * first) * h(1) * m(0) + h(0) * h(0) * m(1)) / first;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h(i), diagonal[i] = 2 * (h(i - 1) + h(i)), above[i] = h(i - 1);
    s[i] = 3 * (h(i) * m(i - 1) + h(i - 1) * m(i));
  }
  below[n - 1] = last, diagonal[n - 1] = h(n - 3);
  s[n - 1] = (h(n - 2) * h(n - 2) * m(n - 3) + (2 * last + h(n - 2)) * h(n - 3) * m(n - 2)) / last;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    s[i] -= factor * s[i - 1];
  }
  s[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) s[i] = (s[i] - above[i] * s[i + 1]) / diagonal[i];
  return s;
}

}  // namespace

double table_key(const std::string& name, std::span<const double> x, std::span<const double> y) {
  check(name, x, y);
  const std::vector<double> s = spline_slopes(x, y);
  std::vector<double> rows;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i], mean = (y[i + 1] - y[i]) / h, third = (s[i] + s[i + 1] - 2 * mean) / h;
    rows.insert(rows.end(), {x[i], y[i], s[i], (mean - s[i]) / h - third, third / h});
  }
  rows.insert(rows.end(), {x.back(), 0, 0, 0, 0});
  for (const double number : rows)
    if (!std::isfinite(number)) throw std::invalid_argument(fmt::format("the table {} is too steep", name));
  return add_rows(name, rows);
}

bool is_table(double key) { return find(key) != nullptr; }
const std::string& table_name(double key) { return need(key).name; }
std::vector<double> table_rows(double key) { return need(key).rows; }
double table_value(double key, double x) { return need(key).at(x); }
double table_derivative(double key) { return need(key).derivative; }

double table_slope(double key, double x) {
  const Table& table = need(key);
  if (table.derivative != 0) return table_value(table.derivative, x);
  return std::isnan(table.at(x)) ? table.at(x) : 0;
}

Expr table_slope(Expr key, Expr x) {
  const double derivative = table_derivative(key.value());
  return derivative == 0 ? Expr() : interp(Expr(derivative), x);
}

}  // namespace hamel
