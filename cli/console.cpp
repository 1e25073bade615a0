#include "console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
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

// As they are seen: UTF-8 continuation bytes and colours take no room.
std::size_t width(std::string_view text) {
  std::size_t count = 0;
  bool is_colour = false;
  for (const char c : text) {
    is_colour = is_colour || c == '\033';
    if (!is_colour && (static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++count;
    if (c == 'm') is_colour = false;
  }
  return count;
}

// How many bytes of a text stand on a line with this much room: up to the last space, else to a sign, else to the end.
std::size_t end_of_line(std::string_view text, std::size_t room) {
  std::size_t fits = 0;
  while (fits < text.size() && width(text.substr(0, fits + 1)) <= room) ++fits;
  const std::size_t start = std::min(text.find_first_not_of(' '), fits);
  for (std::size_t i = fits; i > start; --i)
    if (text[i] == ' ') return i;
  for (std::size_t i = fits; i > start + 1; --i)
    if (std::string_view(",;*/+-=(").find(text[i - 1]) != std::string_view::npos) return i;
  return std::max<std::size_t>(fits, 1);
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
  fmt::print(stderr, "{} {}\n", styled("note:", "1;36", standard_error),
             message.find('\n') == std::string::npos ? folded("note: " + visible(message), columns(), 6).substr(6)
                                                     : visible_lines(message));
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

std::size_t columns() {
  constexpr std::size_t usual = 80, least = 40;
  winsize size{};
  if (isatty(standard_output) != 1 || ioctl(standard_output, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return std::max<std::size_t>(size.ws_col, least);
}

std::string folded(const std::string& text, std::size_t widest, std::size_t indentation) {
  std::string result;
  std::string_view rest = text;
  std::size_t room = widest;
  while (width(rest) > room) {
    const std::size_t at = end_of_line(rest, room);
    std::string_view first = rest.substr(0, at);
    while (first.ends_with(' ')) first.remove_suffix(1);
    rest.remove_prefix(at);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    result += std::string(first) + '\n' + std::string(indentation, ' ');
    room = widest - indentation;
  }
  return result + std::string(rest);
}

void say_words(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t leading = std::min(line.find_first_not_of(' '), columns() / 2);
    result += folded(line, columns(), leading + 2) + (end < text.size() ? "\n" : "");
    begin = end + 1;
  }
  fmt::print("{}", result);
}

void say_paragraph(const std::string& text) {
  std::string line;
  std::istringstream words(text);
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  say("{}\n", line);
}

void print_facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::size_t longest = 0;
  for (const auto& fact : facts) longest = std::max(longest, width(fact.first));
  for (const auto& [name, value] : facts) {
    const std::string indentation(longest + 2, ' ');
    const std::string lines = folded(indentation + visible(value), columns(), longest + 2);
    say_as_it_is("{}{}\n", bold(padded(name, longest + 2)), lines.substr(indentation.size()));
  }
}

namespace {

std::size_t table_width(const std::vector<std::size_t>& widths) {
  std::size_t total = 2 * (widths.size() - 1);
  for (const std::size_t one : widths) total += one;
  return total;
}

// The widest columns give way, but none becomes narrower than this.
constexpr std::size_t narrowest = 12;
bool make_narrower(std::vector<std::size_t>& widths) {
  while (table_width(widths) > columns()) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= narrowest) return false;
    --*widest;
  }
  return true;
}

void print_narrow_table(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& widths) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      std::istringstream lines(folded(rows[i][k], widths[k], 0));
      cells.emplace_back();
      for (std::string line; std::getline(lines, line);) cells.back().push_back(line);
      height = std::max(height, cells.back().size());
    }
    for (std::size_t j = 0; j < height; ++j) {
      std::string line;
      for (std::size_t k = 0; k < cells.size(); ++k)
        line += padded(j < cells[k].size() ? cells[k][j] : "", widths[k] + (k + 1 < cells.size() ? 2 : 0));
      while (line.ends_with(' ')) line.pop_back();
      say_as_it_is("{}\n", i == 0 ? bold(line) : line);
    }
  }
}

}  // namespace

void print_table(std::vector<std::vector<std::string>> rows) {
  std::vector<std::size_t> widths;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = visible(cell);
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  std::vector<std::size_t> fitting = widths;
  if (make_narrower(fitting)) return print_narrow_table(rows, fitting);
  // As many columns as there is room for, then the others, each time after the first one.
  std::size_t count = widths.size();
  for (; count > 2; --count) {
    fitting.assign(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(count));
    if (make_narrower(fitting)) break;
  }
  for (std::size_t begin = 1; begin < widths.size(); begin += count - 1) {
    const std::size_t end = std::min(begin + count - 1, widths.size());
    std::vector<std::vector<std::string>> part;
    std::vector<std::size_t> part_widths{widths[0]};
    for (std::size_t k = begin; k < end; ++k) part_widths.push_back(widths[k]);
    for (const std::vector<std::string>& row : rows) {
      part.push_back({row.front()});
      for (std::size_t k = begin; k < std::min(end, row.size()); ++k) part.back().push_back(row[k]);
    }
    make_narrower(part_widths);
    if (begin > 1) say("\n");
    print_narrow_table(part, part_widths);
  }
}

}  // namespace hamel::cli
