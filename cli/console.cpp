#include "console.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

#include "command.hpp"
#include "hamel/graph/escape.hpp"
#include "hamel/language/source.hpp"

namespace hamel::cli {

namespace {

constexpr int standard_output = 1, standard_error = 2;

bool leaves_out_words = false, messages_are_json = false;

std::string styled(const std::string& text, const char* code, int descriptor) {
  return has_colors(descriptor) ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

// As they are seen: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t size) {
  return text + std::string(size - std::min(size, width(text)), ' ');
}

// Whatever a model file or a record says, nothing of it steers the terminal.
std::string visible_lines(std::string_view text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += (begin == 0 ? "" : "\n") + visible(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::string bold(const std::string& text) { return styled(text, "1", standard_output); }

// Invalid UTF-8, in the name of a file, is replaced.
std::string dumped(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

std::string memory_message() {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited
             ? fmt::format("there is not enough memory: this process may have {} MB (ulimit -v)", limit.rlim_cur >> 20)
             : "there is not enough memory";
}

Json error_json(const std::exception& error) {
  if (const auto* mistake = dynamic_cast<const SourceError*>(&error))
    return {{"message", mistake->message()},
            {"file", mistake->place().source->name},
            {"line", mistake->place().line()},
            {"column", mistake->place().column()}};
  return {{"message", dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? memory_message() : error.what()}};
}

}  // namespace

void be_quiet() { leaves_out_words = true; }
void give_messages_as_json() { messages_are_json = true; }
bool is_quiet() { return leaves_out_words; }

bool has_colors(int descriptor) {
  const char* refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && isatty(descriptor) == 1;
}

void print_error(const std::exception& error) {
  if (messages_are_json) return fmt::print(stderr, "{}\n", dumped({{"error", error_json(error)}}, -1));
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  fmt::print(stderr, "{} {}\n", styled("error:", "1;31", standard_error),
             visible_lines(memory ? memory_message() : error.what()));
}

void print_note(const std::string& message) {
  if (is_quiet()) return;
  if (messages_are_json) return fmt::print(stderr, "{}\n", dumped({{"note", message}}, -1));
  fmt::print(stderr, "{} {}\n", styled("note:", "1;36", standard_error), visible_lines(message));
}

void print_json(const Json& json) { fmt::print("{}\n", dumped(json, 2)); }

bool close_output() {
  pollfd output{.fd = standard_output, .events = POLLOUT, .revents = 0};
  const bool has_no_reader = poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fclose(stdout) == 0 && !failed_before) return true;
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  if (!has_no_reader) print_error(std::runtime_error("cannot write to standard output" + reason));
  return false;
}

void say_paragraph(const std::string& text) {
  constexpr std::size_t widest = 80;
  const std::string indentation = "  ";
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool is_first = line.empty() || line == indentation;
    if (!is_first && width(line) + 1 + width(word) > widest) {
      say("{}\n", line);
      line = indentation + word;
    } else {
      line += (is_first ? "" : " ") + word;
    }
  }
  say("{}\n", line);
}

void print_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t longest = 0;
  for (const auto& fact : facts) longest = std::max(longest, width(fact.first));
  for (const auto& [name, value] : facts) say("{}  {}\n", bold(padded(name, longest)), visible(value));
}

void print_table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = visible(cell);
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      line += k + 1 == rows[i].size() ? rows[i][k] : padded(rows[i][k], widths[k] + 2);
    say("{}\n", i == 0 ? bold(line) : line);
  }
}

}  // namespace hamel::cli
