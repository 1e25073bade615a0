// Changes a text by words, numbers, symbols and lines, with words of its own and of model files: unlike one that is
// changed by bytes, it is often still a model.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "hamel/manifold/spaces.hpp"
#include "language/builtins.hpp"
#include "language/vocabulary.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace fuzz {

class Words {
 public:
  Words(const std::string& text, unsigned seed) : random_(seed) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      while (end < text.size() && is_word(text[at]) && is_word(text[end])) ++end;
      words_.push_back(text.substr(at, end - at));
      at = end;
    }
  }

  std::string changed() {
    for (std::size_t k = 1 + random_() % 3; k > 0 && !words_.empty(); --k) change();
    std::string text;
    for (const std::string& word : words_) text += word;
    return text;
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

  const std::string& one_of(const std::vector<std::string>& all) { return all[random_() % all.size()]; }

  // A word of the same kind: a number for a number, a symbol for a symbol, or any.
  std::string other(const std::string& word) {
    static const std::vector<std::string> numbers = {"0", "1", "2", "3", "-1", "0.5", "1e-9", "1e9", "1e150", "1e-150"};
    static const std::vector<std::string> symbols = {"+", "-", "*", "/", "^", "'", "(", ")", "[", "]", ",", "=", ".."};
    const unsigned choice = random_() % 4;
    if (choice == 0) return one_of(words_);
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return one_of(numbers);
    if (!is_word(word.front())) return one_of(symbols);
    return choice == 1 ? one_of(known()) : one_of(words_);
  }

  static const std::vector<std::string>& known() {
    static const std::vector<std::string> all = [] {
      std::vector<std::string> result = hamel::known_sections();
      for (const auto& [section, keys] : hamel::known_keys()) result.insert(result.end(), keys.begin(), keys.end());
      for (const auto& [name, function] : hamel::builtins()) result.push_back(name);
      for (const auto& [name, value] : hamel::builtin_constants()) result.push_back(name);
      for (const hamel::SpaceRow& row : hamel::space_rows()) result.emplace_back(row.example);
      return result;
    }();
    return all;
  }

  void change() {
    const std::size_t at = random_() % words_.size();
    const auto here = words_.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random_() % 8) {
      case 0:
        words_.erase(here);
        break;
      case 1:
        words_.insert(here, other(words_[at]));
        break;
      case 2:
        move_line();
        break;
      default:
        words_[at] = other(words_[at]);
    }
  }

  // To another place, or to none.
  void move_line() {
    const auto is_end = [](const std::string& word) { return word == "\n"; };
    const auto somewhere = words_.begin() + static_cast<std::ptrdiff_t>(random_() % words_.size());
    const auto begin = std::find_if(somewhere, words_.end(), is_end);
    if (begin == words_.end()) return;
    const auto end = std::find_if(begin + 1, words_.end(), is_end);
    const std::vector<std::string> line(begin, end);
    const bool copied = random_() % 2 == 0;
    if (!copied) words_.erase(begin, end);
    std::vector<std::size_t> ends;
    for (std::size_t k = 0; k < words_.size(); ++k)
      if (is_end(words_[k])) ends.push_back(k);
    if (ends.empty() || random_() % 3 == 0) return;
    const std::size_t to = ends[random_() % ends.size()];
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(to), line.begin(), line.end());
  }

  std::mt19937 random_;
  std::vector<std::string> words_;
};

inline std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = Words(std::string(reinterpret_cast<const char*>(data), size), seed).changed();
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}

}  // namespace fuzz
