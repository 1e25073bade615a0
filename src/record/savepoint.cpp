#include "hamel/record/savepoint.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "record/lookup3.hpp"

namespace hamel {
namespace {

using Words = std::vector<std::uint64_t>;

void put(Words& words, double number) { words.push_back(std::bit_cast<std::uint64_t>(number)); }
void put(Words& words, const std::vector<double>& numbers) {
  words.push_back(numbers.size());
  for (const double number : numbers) put(words, number);
}

std::uint64_t checksum(std::span<const std::uint64_t> words) {
  return hdf5::lookup3(reinterpret_cast<const unsigned char*>(words.data()), words.size_bytes());
}

class Parser {
 public:
  explicit Parser(std::span<const std::uint64_t> words) : words_(words) {}
  std::uint64_t count() {
    if (words_.empty()) throw std::runtime_error("/savepoints ends too early");
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  double number() { return std::bit_cast<double>(count()); }
  double finite_number() {
    const double result = number();
    if (!std::isfinite(result)) throw std::runtime_error("/savepoints has a number that is not finite");
    return result;
  }
  std::vector<double> numbers() {
    const std::uint64_t size = count();
    if (size > words_.size()) throw std::runtime_error("/savepoints ends too early");
    std::vector<double> result(size);
    for (double& value : result) value = number();
    return result;
  }

 private:
  std::span<const std::uint64_t> words_;
};

}  // namespace

// The words are: how many follow, ..., their checksum.
std::vector<std::uint64_t> encode(const Savepoint& savepoint, std::uint64_t number) {
  Words words{0, number, savepoint.rows, savepoint.finished ? 1U : 0U, savepoint.native_outputs ? 1U : 0U};
  put(words, savepoint.wall_seconds);
  put(words, savepoint.monitor);
  const Checkpoint& checkpoint = savepoint.checkpoint;
  put(words, checkpoint.start);
  put(words, checkpoint.t);
  words.push_back(checkpoint.steps);
  words.push_back(checkpoint.outputs);
  put(words, checkpoint.numbers);
  words.front() = words.size();
  words.push_back(checksum(words));
  return words;
}

std::optional<NumberedSavepoint> decode(std::span<const std::uint64_t> words) {
  if (words.size() < 2 || words.front() == 0 || words.front() >= words.size()) return {};
  const std::size_t size = words.front();
  if (words[size] != checksum(words.first(size))) return {};
  Parser parse(words.subspan(1, size - 1));
  NumberedSavepoint result;
  result.number = parse.count();
  Savepoint& savepoint = result.savepoint;
  savepoint.rows = parse.count();
  savepoint.finished = parse.count() != 0;
  savepoint.native_outputs = parse.count() != 0;
  savepoint.wall_seconds = parse.finite_number();
  savepoint.monitor = parse.numbers();
  savepoint.checkpoint.start = parse.finite_number();
  savepoint.checkpoint.t = parse.finite_number();
  savepoint.checkpoint.steps = parse.count();
  savepoint.checkpoint.outputs = parse.count();
  savepoint.checkpoint.numbers = parse.numbers();
  return result;
}

}  // namespace hamel
