#include "language/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "language/number.hpp"
#include "language/toml_keys.hpp"

// toml++ asserts, and in a release takes for granted, what malformed keys violate; without that it refuses them.
#undef NDEBUG
#define TOML_HEADER_ONLY 1
#ifdef _LIBCPP_VERSION  // has none for doubles, and streams that refuse what they cannot hold
#define TOML_FLOAT_CHARCONV 0
#else
#define TOML_FLOAT_CHARCONV 1  // a stream reads 1e-400 as 0
#endif
#define TOML_MAX_NESTED_VALUES 32  // times the parts of a key: so deep may tables be
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

namespace hamel {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Where characters and lines begin, to turn the lines and columns of toml++ (in characters) into bytes.
class Offsets {
 public:
  explicit Offsets(const std::string& text) {
    const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // of the order of bytes; it has no column
    for (std::size_t i = mark; i < text.size(); ++i) {
      if (i == mark || text[i - 1] == '\n') lines_.push_back(characters_.size());
      if (!continues_character(text[i])) characters_.push_back(i);
    }
    characters_.push_back(text.size());
    lines_.push_back(characters_.size() - 1);
  }
  std::size_t operator()(const toml::source_position& position) const {
    if (position.line == 0) return 0;
    const std::size_t line = lines_[std::min<std::size_t>(position.line, lines_.size()) - 1];
    const std::size_t column = std::max<std::size_t>(position.column, 1);
    return characters_[std::min(line + column - 1, characters_.size() - 1)];
  }

 private:
  std::vector<std::size_t> characters_, lines_;
};

// Walks through a string as it is written and notes where each byte of its value comes from.
class StringWalk {
 public:
  StringWalk(const std::string& raw, std::size_t at) : raw_(raw), at_(at) {}

  Snippet walk(const std::shared_ptr<const Source>& source, const std::string& value) {
    const std::size_t begin = at_;
    open();
    std::vector<std::size_t> offsets;
    std::string text;
    while (text.size() < value.size() && at_ < raw_.size()) {
      const std::size_t from = at_;
      const std::size_t made = text.size();
      one_character(value, text);
      offsets.insert(offsets.end(), text.size() - made, from);
    }
    offsets.push_back(std::min(at_, raw_.size()));
    if (text != value) offsets.assign(value.size() + 1, begin);
    return {source, value, std::move(offsets)};
  }

 private:
  bool looking_at(std::string_view text) const { return std::string_view(raw_).substr(at_).starts_with(text); }

  void open() {
    for (const std::string_view quote : {"\"\"\"", "'''"})
      if (looking_at(quote)) {
        escapes_ = quote.front() == '"';
        at_ += 3;
        if (looking_at("\r\n"))
          at_ += 2;
        else if (looking_at("\n"))
          ++at_;
        return;
      }
    escapes_ = looking_at("\"");
    if (looking_at("\"") || looking_at("'")) ++at_;
  }

  void one_character(const std::string& value, std::string& text) {
    if (!escapes_ || raw_[at_] != '\\') {
      text += raw_[at_++];
      return;
    }
    const char kind = at_ + 1 < raw_.size() ? raw_[at_ + 1] : '\0';
    if (kind == 'u' || kind == 'U') {
      at_ += kind == 'u' ? 6 : 10;
    } else if (kind == '\n' || kind == ' ' || kind == '\t' || kind == '\r') {
      ++at_;
      while (at_ < raw_.size() && std::isspace(static_cast<unsigned char>(raw_[at_])) != 0) ++at_;
      return;
    } else {
      at_ += 2;
    }
    do text += value[text.size()];  // what the escape stands for
    while (text.size() < value.size() && continues_character(value[text.size()]));
  }

  const std::string& raw_;
  std::size_t at_;
  bool escapes_ = false;
};

class Converter {
 public:
  explicit Converter(const std::shared_ptr<const Source>& source) : source_(source), offset_(source->text) {}

  TomlValue table(const toml::table& table, const Place& place) {
    TomlValue result;
    result.place = place;
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
    for (const auto& [key, node] : entries) {
      const Snippet text = snippet(key->source(), std::string(key->str()));
      result.entries.push_back({text, value(*node, text.place(0, text.text.size()))});
    }
    return result;
  }

 private:
  Place place(const toml::source_region& region) const {
    const std::size_t begin = offset_(region.begin), end = offset_(region.end);
    return {source_, begin, end > begin ? end - begin : 0};
  }

  Snippet snippet(const toml::source_region& region, const std::string& text) const {
    return StringWalk(source_->text, offset_(region.begin)).walk(source_, text);
  }

  TomlValue value(const toml::node& node, const Place& key) {
    if (const toml::table* inner = node.as_table()) return table(*inner, key);
    TomlValue result;
    result.place = place(node.source());
    if (const toml::array* array = node.as_array()) {
      result.kind = TomlValue::Kind::list;
      for (const toml::node& item : *array) result.items.push_back(value(item, result.place));
    } else if (const auto* text = node.as_string()) {
      result.kind = TomlValue::Kind::text;
      result.text = snippet(node.source(), text->get());
    } else if (const auto* truth = node.as_boolean()) {
      result.kind = TomlValue::Kind::truth;
      result.truth = truth->get();
    } else if (node.is_number()) {
      result.kind = TomlValue::Kind::number;
      result.number = node.value<double>().value_or(0);
      if (!std::isfinite(result.number)) throw SourceError(result.place, "a number must be finite, not nan or inf");
    } else {
      throw SourceError(result.place, "dates and times have no meaning here");
    }
    return result;
  }

  std::shared_ptr<const Source> source_;
  Offsets offset_;
};

// Of x' = 1 or omega.q[1] = "e3", where TOML stopped at a sign that names have in quotes alone.
std::string key_hint(const std::string& line, std::size_t at, std::size_t equals) {
  const std::size_t begin = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t", equals - 1);
  if (at == begin || (line[at] != '\'' && line[at] != '[') || line.find_first_of("[\"") < at) return {};
  const std::size_t name = std::max(line.rfind('.', at) + 1, begin);
  if (line.find_first_of(". \t\"", name) <= last) return {};
  return fmt::format("; such a name is written in quotes: {}\"{}\" = ...", line.substr(begin, name - begin),
                     line.substr(name, last + 1 - name));
}

// kinetic = m/2*x'^2: an expression without its quotes.
std::string quotes_hint(const std::string& text, std::size_t at) {
  const std::size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::string line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos) return {};
  if (begin + equals >= at) return key_hint(line, at - begin, equals);
  const auto first = line.find_first_not_of(" \t", equals + 1), last = line.find_last_not_of(" \t\r");
  const std::string value = first == std::string::npos ? "" : line.substr(first, last + 1 - first);
  const bool number = value.find_first_not_of("0123456789.eE+-_") == std::string::npos;
  const bool other = value.find('"') != std::string::npos || value.starts_with('\'') || value.starts_with('{') ||
                     value.starts_with('=');
  if (number || other) return {};
  return value.starts_with('[') ? "; expressions are written in quotes, also those of a list"
                                : fmt::format("; an expression is written in quotes: \"{}\"", value);
}

}  // namespace

const TomlEntry* TomlValue::find(const std::string& key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& e) { return e.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

namespace {

// toml++ quotes a number that it has read and no double holds; what it says then depends on the standard library.
std::string unheld_number(std::string_view description) {
  constexpr std::string_view beginning = "Error while parsing floating-point: '";
  if (!description.starts_with(beginning)) return {};
  description.remove_prefix(beginning.size());
  return std::string(description.substr(0, std::min(description.find('\''), description.size())));
}

}  // namespace

TomlValue parse_toml(const std::shared_ptr<const Source>& source) {
  check_keys_are_short(source);
  try {
    const toml::table table = toml::parse(source->text);
    return Converter(source).table(table, Place{source, 0, 0});
  } catch (const toml::parse_error& error) {
    const std::size_t at = Offsets(source->text)(error.source().begin);
    if (const std::string number = unheld_number(error.description()); !number.empty() && number.size() <= at)
      throw SourceError(Place{source, at - number.size(), number.size()}, cannot_be_held(number));
    throw SourceError(Place{source, at, 0},
                      fmt::format("this is not TOML: {}{}", error.description(), quotes_hint(source->text, at)));
  }
}

Snippet whole_text(const std::shared_ptr<const Source>& source, std::size_t begin, std::size_t end) {
  Snippet snippet{source, source->text.substr(begin, end - begin), {}};
  for (std::size_t k = begin; k <= end; ++k) snippet.offsets.push_back(k);
  return snippet;
}

}  // namespace hamel
