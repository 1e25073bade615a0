#include <fmt/format.h>

#include <array>
#include <cctype>
#include <optional>

#include "language/number.hpp"
#include "language/syntax.hpp"

namespace hamel {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80U;
}
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

class Lexer {
 public:
  explicit Lexer(const Snippet& snippet) : snippet_(snippet), text_(snippet.text) {}

  std::vector<Token> run() {
    std::vector<Token> result;
    while (true) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      if (at_ == text_.size()) break;
      result.push_back(next());
    }
    result.push_back({TokenKind::end, {}, 0, at_, at_});
    return result;
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  Token next() {
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_letter(c) || c == '_') return word();
    return symbol();
  }

  std::size_t digits(std::size_t from) const {
    while (from < text_.size() && is_digit(text_[from])) ++from;
    return from;
  }

  // The dots of 1..n and of x[1].z are not part of a number.
  Token number() {
    std::size_t end = digits(at_);
    const char behind = end + 1 < text_.size() ? text_[end + 1] : '\0';
    const bool other_dot = behind == '.' || (is_letter(behind) && behind != 'e' && behind != 'E');
    if (end < text_.size() && text_[end] == '.' && !other_dot) end = digits(end + 1);
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) end = digits(exponent);
    }
    Token token = cut(TokenKind::number, end);
    const std::optional<double> value = number_of(token.text);
    if (end < text_.size() && (is_letter(text_[end]) || text_[end] == '_'))
      throw SourceError(
          snippet_.place(token.begin, end + 1),
          fmt::format("{} runs into a name; for a product write {}*{}", token.text, token.text, word_at(end)));
    if (!value) throw SourceError(snippet_.place(token.begin, end), cannot_be_held(token.text));
    token.value = *value;
    return token;
  }

  std::string word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && in_word(text_[end])) ++end;
    return text_.substr(begin, end - begin);
  }

  Token word() { return cut(TokenKind::name, at_ + word_at(at_).size()); }

  Token symbol() {
    constexpr std::array<std::string_view, 5> doubles = {"..", "<=", ">=", "==", "!="};
    constexpr std::string_view singles = "+-*/^()[]{},.'<>=:";
    if (text_[at_] == '*' && peek(1) == '*')
      throw SourceError(snippet_.place(at_, at_ + 2), "a power is written with ^, as in a^2");
    for (const std::string_view pair : doubles)
      if (std::string_view(text_).substr(at_, 2) == pair) return cut(TokenKind::symbol, at_ + 2);
    if (singles.find(text_[at_]) != std::string_view::npos) return cut(TokenKind::symbol, at_ + 1);
    throw SourceError(snippet_.place(at_, at_ + 1), fmt::format("unexpected character {}", shown(text_[at_])));
  }

  static std::string shown(char c) {
    return std::isprint(static_cast<unsigned char>(c)) != 0
               ? std::string(1, c)
               : fmt::format("with code {}", static_cast<int>(static_cast<unsigned char>(c)));
  }

  Token cut(TokenKind kind, std::size_t end) {
    Token token{kind, text_.substr(at_, end - at_), 0, at_, end};
    at_ = end;
    return token;
  }

  const Snippet& snippet_;
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Place Snippet::place(std::size_t begin, std::size_t end) const {
  const std::size_t from = offsets[begin];
  return {source, from, end > begin ? offsets[end] - from : 0};
}

std::vector<Token> tokens(const Snippet& snippet) { return Lexer(snippet).run(); }

}  // namespace hamel
