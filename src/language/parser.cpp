// A Pratt parser: each operator knows how strongly it binds to its left and to its right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hamel/manifold/spaces.hpp"
#include "language/syntax.hpp"
#include "language/vocabulary.hpp"

namespace hamel {

namespace {

constexpr int deepest_tree = 1000;  // the tree; evaluating it recurses
constexpr int deepest_nesting = 200;

struct Binding {
  int left, right;  // 0: not an operator
};

constexpr int sign_binding = 35, postfix_binding = 60;

Binding binding_of(const Token& token) {
  if (token.kind != TokenKind::symbol) return {0, 0};
  const std::string& text = token.text;
  if (text == "<" || text == "<=" || text == ">" || text == ">=" || text == "==" || text == "!=") return {10, 11};
  if (text == "+" || text == "-") return {20, 21};
  if (text == "*" || text == "/") return {30, 31};
  if (text == "^") return {41, 34};  // to the right; a^-b is allowed
  return {0, 0};
}

class Parser {
 public:
  explicit Parser(const Snippet& snippet) : snippet_(snippet), tokens_(tokens(snippet)) {}

  Syntax whole_expression() {
    Syntax result = expression(0);
    if (is_symbol("="))
      fail("an equation is not allowed here: an expression was expected; to compare numbers write ==");
    need_end();
    return result;
  }

  Syntax whole_equation() {
    Syntax result = equation();
    need_end();
    return result;
  }

  Pattern whole_pattern(std::size_t most_indices) {
    Pattern pattern;
    const Token name = need_name("a name");
    pattern.name = name.text;
    pattern.place = snippet_.place(name.begin, name.end);
    if (take("[")) {
      if (begins_binder())
        pattern.binders = {binder()};
      else
        do pattern.index.push_back(expression(0));
        while (pattern.index.size() < most_indices && take(","));
      need("]", "to close the index");
    } else if (take("(")) {
      pattern.is_function = true;
      do pattern.arguments.push_back(need_name("the name of an argument").text);
      while (take(","));
      need(")", "to close the arguments");
    }
    need_end();
    return pattern;
  }

  SpaceSyntax whole_space() {
    const std::size_t begin = token().begin;
    SpaceSyntax space = is_symbol("{") ? set() : named_space();
    space.place = since(begin);
    if (take("[")) {
      space.count = {expression(0)};
      need("]", "to close the number of coordinates");
    }
    if (is_symbol("*") || (token().kind == TokenKind::name && token().text == "x"))
      fail("a product of spaces is made by listing coordinates, one for each factor");
    need_end();
    return space;
  }

 private:
  const Token& token() const { return tokens_[at_]; }
  bool is_symbol(std::string_view text) const { return token().kind == TokenKind::symbol && token().text == text; }
  bool is_symbol(std::size_t ahead, std::string_view text) const {
    const Token& later = tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    return later.kind == TokenKind::symbol && later.text == text;
  }
  bool is_name(std::size_t ahead) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].kind == TokenKind::name;
  }
  bool is_word(std::size_t ahead, std::string_view text) const {
    return is_name(ahead) && tokens_[std::min(at_ + ahead, tokens_.size() - 1)].text == text;
  }
  bool take(std::string_view text) {
    if (!is_symbol(text)) return false;
    ++at_;
    return true;
  }
  Token next() { return tokens_[token().kind == TokenKind::end ? at_ : at_++]; }
  Place here() const { return snippet_.place(token().begin, token().end); }
  Place since(std::size_t begin) const {
    return snippet_.place(begin, at_ == 0 ? begin : std::max(begin, tokens_[at_ - 1].end));
  }
  [[noreturn]] void fail(const std::string& message) const { throw SourceError(here(), message); }
  std::string found() const { return token().kind == TokenKind::end ? "the end" : token().text; }

  void need(std::string_view text, std::string_view purpose) {
    if (!take(text)) fail(fmt::format("expected {} {}, found {}", text, purpose, found()));
  }
  Token need_name(std::string_view what) {
    if (token().kind != TokenKind::name) fail(fmt::format("expected {}, found {}", what, found()));
    return next();
  }
  void need_end() const {
    if (token().kind == TokenKind::end) return;
    const bool begins_value = token().kind != TokenKind::symbol || token().text == "(";
    if (begins_value) fail(fmt::format("expected an operator before {}; a product needs a *", token().text));
    fail(fmt::format("expected the end, found {}", token().text));
  }

  Syntax made(SyntaxKind kind, std::size_t begin, std::string text, std::vector<Syntax> parts) const {
    Syntax result{.kind = kind, .place = since(begin), .text = std::move(text), .parts = std::move(parts)};
    for (const Syntax& part : result.parts) result.depth = std::max(result.depth, part.depth + 1);
    if (result.depth > deepest_tree)
      throw SourceError(result.place, fmt::format("the expression has more than {} operations within each other; use "
                                                  "sum(...) for long sums, or definitions",
                                                  deepest_tree));
    return result;
  }

  Syntax equation() {
    const std::size_t begin = token().begin;
    Syntax left = expression(0);
    if (left.kind == SyntaxKind::binary && left.text == "==")
      throw SourceError(left.place, "an equation is written with one =, as in a = b");
    if (!take("=")) return left;
    Syntax right = expression(0);
    if (right.kind == SyntaxKind::number && right.value == 0) return left;
    return made(SyntaxKind::binary, begin, "-", {std::move(left), std::move(right)});
  }

  Syntax expression(int least) {
    if (++nesting_ > deepest_nesting)
      fail(fmt::format("the expression is nested more than {} deep; use definitions", deepest_nesting));
    const std::size_t begin = token().begin;
    Syntax left = prefix();
    while (true) {
      const Binding binding = binding_of(token());
      if (binding.left == 0 || binding.left < least) break;
      const std::string text = next().text;
      Syntax right = expression(binding.right);
      left = made(SyntaxKind::binary, begin, text, {std::move(left), std::move(right)});
      if (binding.left == 10 && binding_of(token()).left == 10) fail("comparisons cannot be chained");
    }
    --nesting_;
    return left;
  }

  Syntax prefix() {
    const std::size_t begin = token().begin;
    if (take("-")) return made(SyntaxKind::negate, begin, "-", {expression(sign_binding)});
    if (take("+")) return expression(sign_binding);
    Syntax result = primary();
    while (true) {
      if (take("'")) {
        result = made(SyntaxKind::rate, begin, "'", {std::move(result)});
      } else if (take("[")) {
        std::vector<Syntax> parts;
        parts.push_back(std::move(result));
        do parts.push_back(expression(0));
        while (take(","));
        need("]", "to close the index");
        result = made(SyntaxKind::index, begin, {}, std::move(parts));
      } else if (take(".")) {
        const std::string member = need_name("x, y or z after the dot").text;
        result = made(SyntaxKind::member, begin, member, {std::move(result)});
      } else {
        return result;
      }
    }
  }

  Syntax primary() {
    const std::size_t begin = token().begin;
    const Token first = token();
    if (first.kind == TokenKind::number) {
      ++at_;
      Syntax result = made(SyntaxKind::number, begin, first.text, {});
      result.value = first.value;
      return result;
    }
    if (first.kind == TokenKind::name) {
      ++at_;
      if (!is_symbol("(")) return made(SyntaxKind::name, begin, first.text, {});
      ++at_;
      if (first.text == "sum") return sum(begin);
      return call(first.text, begin);
    }
    if (take("(")) {
      Syntax result = expression(0);
      need(")", "to close the parenthesis");
      return result;
    }
    if (take("[")) {
      std::vector<Syntax> parts;
      if (is_symbol("]")) fail("a list needs at least one entry");
      do parts.push_back(expression(0));
      while (take(","));
      need("]", "to close the list");
      return made(SyntaxKind::list, begin, {}, std::move(parts));
    }
    if (first.kind == TokenKind::end) fail("the expression ends where a value was expected");
    fail(fmt::format("expected a value, found {}", first.text));
  }

  Syntax call(const std::string& name, std::size_t begin) {
    if (begins_binder()) fail(fmt::format("{} does not run over an index; sum does: sum(i in 1..3, ...)", name));
    std::vector<Syntax> arguments;
    if (!is_symbol(")")) do
        arguments.push_back(expression(0));
      while (take(","));
    need(")", fmt::format("to close the arguments of {}", name));
    return made(SyntaxKind::call, begin, name, std::move(arguments));
  }

  bool begins_binder() const {
    return (is_name(0) && is_word(1, "in")) || (is_name(0) && is_symbol(1, "<") && is_name(2) && is_word(3, "in")) ||
           (is_symbol("(") && is_name(1) && is_symbol(2, ","));
  }

  Syntax::Binder binder() {
    const std::size_t begin = token().begin;
    Syntax::Binder result;
    if (take("(")) {
      do result.names.push_back(need_name("an index").text);
      while (take(","));
      need(")", "to close the indices");
    } else {
      result.names.push_back(need_name("an index").text);
      if (take("<")) {
        result.ordered = true;
        result.names.push_back(need_name("an index").text);
      }
    }
    if (!is_word(0, "in")) fail(fmt::format("expected in, found {}; write sum(i in 1..n, ...)", found()));
    ++at_;
    result.domain.push_back(expression(0));
    if (take("..")) {
      result.domain.push_back(expression(0));
      if (result.names.size() > 1 && !result.ordered)
        fail("pairs run over a list of pairs; over a range write i < j in 1..n");
    } else if (result.ordered) {
      fail("i < j runs over a range such as 1..n");
    }
    result.place = since(begin);
    return result;
  }

  Syntax sum(std::size_t begin) {
    std::vector<Syntax::Binder> binders;
    if (!begins_binder())
      fail("a sum says over what: sum(i in 1..n, ...), sum(i < j in 1..n, ...), sum((i, j) in pairs, ...)");
    while (begins_binder()) {
      binders.push_back(binder());
      need(",", "and what is to be summed");
    }
    Syntax term = expression(0);
    need(")", "to close the sum");
    Syntax result = made(SyntaxKind::sum, begin, {}, {std::move(term)});
    result.binders = std::move(binders);
    return result;
  }

  // R3, R^3, S2, SO3, SO(3), Stiefel(4, 2), group(A, B).
  SpaceSyntax named_space() {
    const Token word = token();
    if (word.kind != TokenKind::name)
      fail(fmt::format("expected a space, found {}; the spaces are {}", found(), known_spaces()));
    ++at_;
    const std::size_t letters = std::min(word.text.find_first_of("0123456789"), word.text.size());
    const std::string digits = word.text.substr(letters);
    SpaceSyntax space;
    space.name = word.text.substr(0, letters);
    const bool is_numbered = !digits.empty() || take("^");
    if (is_numbered) {
      space.arguments = {dimension(word, digits)};
    } else if (take("(")) {
      do space.arguments.push_back(expression(0));
      while (take(","));
      need(")", "to close the numbers of the space");
    }
    space.place = snippet_.place(word.begin, tokens_[at_ - 1].end);
    const SpaceRow* row = find_space(space.name);
    if (row == nullptr || (is_numbered && !row->is_numbered()) || digits.starts_with('0') || digits.size() > 4) {
      const std::string near = suggested_space(word.text);
      throw SourceError(space.place, fmt::format("unknown space {}{} {} {}", word.text, near.empty() ? ";" : near,
                                                 near.empty() ? "the spaces are" : "The spaces are", known_spaces()));
    }
    return space;
  }

  Syntax dimension(const Token& word, const std::string& digits) {
    Syntax number{.kind = SyntaxKind::number, .place = snippet_.place(word.begin, word.end)};
    if (digits.empty()) {
      if (token().kind != TokenKind::number)
        fail(fmt::format("expected the dimension of {}, found {}", word.text, found()));
      number.place = here();
      number.value = next().value;
    } else {
      const bool is_whole = digits.find_first_not_of("0123456789") == std::string::npos && digits.size() < 5;
      number.value = is_whole ? std::stoi(digits) : 0;
    }
    return number;
  }

  void set_of(SpaceSyntax& space) {  // x in R3
    const std::string variable = need_name("the name of a point, as in {x in R3 : ...}").text;
    if (!is_word(0, "in")) fail(fmt::format("expected in, found {}; write {{x in R3 : c(x) = 0}}", found()));
    ++at_;
    space = named_space();
    space.within = space.place;
    space.variable = variable;
  }

  // {x in R3 : c(x) = 0} or {p(x) : x in R3}.
  SpaceSyntax set() {
    need("{", "to begin a set");
    SpaceSyntax space;
    if (is_name(0) && is_word(1, "in")) {
      set_of(space);
      need(":", "and the equations of the set");
      do space.zeros.push_back(equation());
      while (take(","));
    } else {
      Syntax map = expression(0);
      need(":", "and where its points come from, as in {x/norm(x) : x in R3}");
      set_of(space);
      space.map = {std::move(map)};
    }
    need("}", "to close the set");
    return space;
  }

  const Snippet& snippet_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Syntax parse_expression(const Snippet& snippet) { return Parser(snippet).whole_expression(); }
Syntax parse_equation(const Snippet& snippet) { return Parser(snippet).whole_equation(); }
Pattern parse_pattern(const Snippet& snippet, std::size_t most_indices) {
  return Parser(snippet).whole_pattern(most_indices);
}
SpaceSyntax parse_space(const Snippet& snippet) { return Parser(snippet).whole_space(); }

}  // namespace hamel
