// A checksum of 64-bit words. A change of a single word is always noticed, any other but for one in 2^64.
//
// Each word goes through the mixing function of G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
// generators" (2014), which is one to one; docs/records.md has it in Python.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace hamel {

// Its size, then eight characters at a time.
inline std::vector<std::uint64_t> as_words(const std::string& text) {
  std::vector<std::uint64_t> words(1 + (text.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  words.front() = text.size();
  std::memcpy(words.data() + 1, text.data(), text.size());
  return words;
}

class Checksum {
 public:
  void add(std::uint64_t word) {
    sum_ = (sum_ ^ word) + 0x9e3779b97f4a7c15;
    sum_ = (sum_ ^ sum_ >> 30) * 0xbf58476d1ce4e5b9;
    sum_ = (sum_ ^ sum_ >> 27) * 0x94d049bb133111eb;
    sum_ ^= sum_ >> 31;
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::span<const double> numbers) {
    for (const double number : numbers) add(number);
  }
  void add(std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) add(word);
  }
  void add(const std::string& text) { add(std::span<const std::uint64_t>(as_words(text))); }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace hamel
