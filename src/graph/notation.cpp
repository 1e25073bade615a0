#include "graph/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "hamel/graph/escape.hpp"

namespace hamel {

namespace {

constexpr std::array<std::string_view, 38> greek{
    "alpha",   "beta",  "gamma",  "delta",   "epsilon", "varepsilon", "zeta",  "eta",   "theta", "vartheta",
    "iota",    "kappa", "lambda", "mu",      "nu",      "xi",         "pi",    "rho",   "sigma", "tau",
    "upsilon", "phi",   "varphi", "chi",     "psi",     "omega",      "Gamma", "Delta", "Theta", "Lambda",
    "Xi",      "Pi",    "Sigma",  "Upsilon", "Phi",     "Psi",        "Omega", "ell"};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string latex_symbol(std::string_view word) {
  if (std::find(greek.begin(), greek.end(), word) != greek.end()) return fmt::format("\\{}", word);
  if ((word.size() == 1 && is_letter(word.front())) || std::all_of(word.begin(), word.end(), is_digit))
    return std::string(word);
  return fmt::format("\\mathrm{{{}}}", latex_word(word));
}

std::string dotted(const std::string& symbol, int dots) {
  if (dots == 0) return symbol;
  if (dots > 3) return fmt::format("{}^{{({})}}", symbol, dots);
  return fmt::format("\\{}ot{{{}}}", std::string(static_cast<std::size_t>(dots), 'd'), symbol);
}

// Reads a name such as omega_1, q'[0], x1, R[0,1], xi(g)[1]: a word, then primes and indices in any order.
class NameReader {
 public:
  explicit NameReader(std::string_view name) : rest_(name) {}

  std::string latex() {
    const std::string_view whole = rest_;
    const std::string_view word = take_while(is_letter);
    if (word.empty()) return latex_symbol(whole);
    while (!rest_.empty()) {
      if (!read_suffix()) return fmt::format("\\mathrm{{{}}}", latex_word(whole));
    }
    const std::string symbol = dotted(latex_symbol(word), dots_);
    return indices_.empty() ? symbol : fmt::format("{}_{{{}}}", symbol, indices_);
  }

 private:
  template <class Predicate>
  std::string_view take_while(Predicate predicate) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), predicate);
    const auto length = static_cast<std::size_t>(end - rest_.begin());
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  bool read_suffix() {
    if (is_digit(rest_.front())) return add_index(take_while(is_digit));
    const char first = rest_.front();
    rest_.remove_prefix(1);
    switch (first) {
      case '\'':
        ++dots_;
        return true;
      case ')':
        return true;
      case '_':
      case '.':
      case '(':
        return add_index(take_while([](char c) { return is_letter(c) || is_digit(c); }));
      case '[':
        return read_brackets();
      default:
        return false;
    }
  }

  bool read_brackets() {
    do {
      if (!add_index(take_while([](char c) { return is_letter(c) || is_digit(c); }))) return false;
    } while (skip(','));
    return skip(']');
  }

  bool skip(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool add_index(std::string_view index) {
    if (index.empty()) return false;
    if (!indices_.empty()) indices_ += ',';
    indices_ += latex_symbol(index);
    return true;
  }

  std::string_view rest_;
  std::string indices_;
  int dots_ = 0;
};

std::string c_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '\'') {
      result += "_dot";
    } else {
      result += is_letter(c) || is_digit(c) || c == '[' || c == ']' ? c : '_';
    }
  }
  return result;
}

std::string latex_number(double value) {
  const std::string digits = fmt::format("{}", value);
  const std::size_t e = digits.find('e');
  if (e == std::string::npos) return digits;
  const std::string mantissa = digits.substr(0, e);
  const int exponent = std::stoi(digits.substr(e + 1));
  if (mantissa == "1" || mantissa == "-1") return fmt::format("{}10^{{{}}}", value < 0 ? "-" : "", exponent);
  return fmt::format("{} \\cdot 10^{{{}}}", mantissa, exponent);
}

std::string c_number(double value) {
  std::string digits = fmt::format("{:.17g}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

}  // namespace

std::string printed_name(std::string_view name, Notation notation) {
  switch (notation) {
    case Notation::latex:
      return NameReader(name).latex();
    case Notation::c:
      return c_name(name);
    default:
      return std::string(name);
  }
}

std::string printed_number(double value, Notation notation) {
  switch (notation) {
    case Notation::latex:
      return latex_number(value);
    case Notation::c:
      return c_number(value);
    default:
      return fmt::format("{}", value);
  }
}

}  // namespace hamel
