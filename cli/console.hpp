// What people see, and how messages reach programs.
//
// Results go to stdout: words, which -q leaves out, or JSON. Messages go to stderr, as sentences, or with --json as one
// JSON object on each line: {"note": "..."} and {"error": {"message": "...", "file": "...", "line": 4, "column": 18}}.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hamel::cli {

// For the rest of the program.
void be_quiet();
void give_messages_as_json();
bool is_quiet();

void print_error(const std::exception& error);
void print_note(const std::string& message);  // unless quiet

// Colours are for terminals, and not if NO_COLOR is set.
bool has_colors(int descriptor);

// How wide a line may be: the terminal, 80 where there is none.
std::size_t columns();

// On stdout, unless quiet. What people read is broken into lines that are not too wide, what programs read is not.
void say_words(const std::string& text);
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  if (!is_quiet()) say_words(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void say_as_it_is(fmt::format_string<Args...> format, Args&&... args) {
  if (!is_quiet()) fmt::print(format, std::forward<Args>(args)...);
}
// A text in lines of so many columns, all but the first indented.
std::string folded(const std::string& text, std::size_t widest, std::size_t indentation);
// A paragraph in lines, all but the first indented.
void say_paragraph(const std::string& text);
// Two columns, the first one as wide as its longest entry.
void print_facts(const std::vector<std::pair<std::string, std::string>>& facts);
// Columns as wide as their longest entries; the first row is the header. Where that is too wide, entries are broken
// into lines; where there are too many columns, tables of fewer columns follow each other, each with the first one.
void print_table(std::vector<std::vector<std::string>> rows);

void print_json(const nlohmann::ordered_json& json);  // on stdout

// The last thing to do with stdout: a message and false if not all of it could be written. A reader that has closed the
// pipe has seen enough: false without a message.
bool close_output();

}  // namespace hamel::cli
