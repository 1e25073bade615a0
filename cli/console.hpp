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

// On stdout, unless quiet.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  if (!is_quiet()) fmt::print(format, std::forward<Args>(args)...);
}
// A paragraph in lines of 80 columns, all but the first indented.
void say_paragraph(const std::string& text);
// Two columns, the first one as wide as its longest entry.
void print_facts(const std::vector<std::pair<std::string, std::string>>& facts);
// Columns as wide as their longest entries; the first row is the header.
void print_table(std::vector<std::vector<std::string>> rows);

void print_json(const nlohmann::ordered_json& json);  // on stdout

// The last thing to do with stdout: a message and false if not all of it could be written. A reader that has closed the
// pipe has seen enough: false without a message.
bool close_output();

}  // namespace hamel::cli
