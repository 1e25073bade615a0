#include "hamel/record/savepoint.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "hamel/record/header.hpp"
#include "record/checksum.hpp"
#include "record/lookup3.hpp"

namespace hamel {
namespace {

using Words = std::vector<std::uint64_t>;

void put(Words& words, double number) { words.push_back(std::bit_cast<std::uint64_t>(number)); }
void put(Words& words, const std::vector<double>& numbers) {
  words.push_back(numbers.size());
  for (const double number : numbers) put(words, number);
}

std::uint64_t checksum_of(std::span<const std::uint64_t> words, int format) {
  if (format == 1) return hdf5::lookup3(reinterpret_cast<const unsigned char*>(words.data()), words.size_bytes());
  Checksum sum;
  sum.add(words);
  return sum.value();
}

class Parser {
 public:
  explicit Parser(std::span<const std::uint64_t> words) : words_(words) {}
  std::uint64_t count() {
    need(1);
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  double number() { return std::bit_cast<double>(count()); }
  double finite_number() {
    const double result = number();
    need_finite(result);
    return result;
  }
  std::vector<double> numbers() {
    const std::uint64_t size = count();
    need(size);
    std::vector<double> result(size);
    for (double& value : result) value = number();
    return result;
  }
  std::vector<double> finite_numbers() {
    std::vector<double> result = numbers();
    for (const double value : result) need_finite(value);
    return result;
  }
  std::string text() {
    const std::uint64_t size = count();
    need(size / sizeof(std::uint64_t));
    std::string result(size, '\0');
    for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = count();
      std::memcpy(&result[at], &word, std::min<std::size_t>(sizeof word, size - at));
    }
    return result;
  }

 private:
  static void need_finite(double value) {
    if (!std::isfinite(value)) throw std::runtime_error("/savepoints has a number that is not finite");
  }
  void need(std::uint64_t size) const {
    if (size > words_.size()) throw std::runtime_error("/savepoints ends too early");
  }

  std::span<const std::uint64_t> words_;
};

void put(Words& words, const Savepoint::Failure& failure) {
  const Words why = as_words(failure.why);
  words.insert(words.end(), why.begin(), why.end());
  words.push_back(failure.rows);
  words.push_back(failure.steps);
  put(words, failure.wall_seconds);
  put(words, failure.monitor);
}

Savepoint::Failure read_failure(Parser& parse) {
  Savepoint::Failure failure;
  failure.why = parse.text();
  failure.rows = parse.count();
  failure.steps = parse.count();
  failure.wall_seconds = parse.finite_number();
  failure.monitor = parse.finite_numbers();
  return failure;
}

}  // namespace

// The words are: how many follow, ..., their checksum.
std::vector<std::uint64_t> encode(const Savepoint& savepoint, std::uint64_t number) {
  Words words{0, number, savepoint.rows, savepoint.finished ? 1U : 0U};
  put(words, savepoint.wall_seconds);
  put(words, savepoint.monitor);
  const Checkpoint& checkpoint = savepoint.checkpoint;
  put(words, checkpoint.start);
  put(words, checkpoint.t);
  words.push_back(checkpoint.steps);
  words.push_back(checkpoint.outputs);
  put(words, checkpoint.numbers);
  words.push_back(savepoint.failure ? 1 : 0);
  if (savepoint.failure) put(words, *savepoint.failure);
  words.front() = words.size();
  words.push_back(checksum_of(words, record_format));
  return words;
}

std::optional<NumberedSavepoint> decode(std::span<const std::uint64_t> words, int format) {
  if (words.size() < 2 || words.front() == 0 || words.front() >= words.size()) return {};
  const std::size_t size = words.front();
  if (words[size] != checksum_of(words.first(size), format)) return {};
  Parser parse(words.subspan(1, size - 1));
  NumberedSavepoint result;
  result.number = parse.count();
  Savepoint& savepoint = result.savepoint;
  savepoint.rows = parse.count();
  savepoint.finished = parse.count() != 0;
  if (format == 1) parse.count();  // whether outputs were computed by native code, whose bits were others then
  savepoint.wall_seconds = parse.finite_number();
  savepoint.monitor = parse.finite_numbers();
  savepoint.checkpoint.start = parse.finite_number();
  savepoint.checkpoint.t = parse.finite_number();
  savepoint.checkpoint.steps = parse.count();
  savepoint.checkpoint.outputs = parse.count();
  savepoint.checkpoint.numbers = parse.numbers();
  if (format > 1 && parse.count() != 0) savepoint.failure = read_failure(parse);
  return result;
}

}  // namespace hamel
