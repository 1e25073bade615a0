#include "language/toml_keys.hpp"

#include <fmt/format.h>

namespace hamel {

namespace {

constexpr int most_parts = 32;

// Counts the dots between those characters that end a key, past strings and comments.
class KeyScan {
 public:
  explicit KeyScan(const std::shared_ptr<const Source>& source) : source_(source), text_(source->text) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        constexpr std::string_view ends = "\n=,[]{}";
        if (ends.find(c) != std::string_view::npos) begin(at_ + 1);
        if (c == '.') count();
        ++at_;
      }
    }
  }

 private:
  void begin(std::size_t at) {
    begin_ = at;
    dots_ = 0;
  }

  void count() {
    if (++dots_ >= most_parts)
      throw SourceError(Place{source_, begin_, at_ - begin_},
                        fmt::format("a key or the name of a table has more than {} parts", most_parts));
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    if (text_.substr(at_, 3) == three) {
      at_ += 3;
      skip_to(quote, three);
      while (at_ < text_.size() && text_[at_] == quote) ++at_;  // """" ends with a quote of its own
    } else {
      ++at_;
      skip_to(quote, three.substr(0, 1));
    }
  }

  // Behind the end of a string; a string that is left open ends with its line.
  void skip_to(char quote, std::string_view end) {
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (end.size() == 1 && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
  }

  std::shared_ptr<const Source> source_;
  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  int dots_ = 0;
};

}  // namespace

void check_keys_are_short(const std::shared_ptr<const Source>& source) { KeyScan(source).run(); }

}  // namespace hamel
