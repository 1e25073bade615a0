// What people see: tables, colours where they are wanted, messages.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hamel::cli {

// Colours are for terminals, and not if NO_COLOR is set.
bool has_colors(int descriptor);
std::string bold(const std::string& text);  // on stdout
std::string dim(const std::string& text);   // on stdout

void print_error(const std::string& message);
void print_note(const std::string& message);

// Two columns, the first one as wide as its longest entry.
void print_facts(const std::vector<std::pair<std::string, std::string>>& facts);
// Columns as wide as their longest entries; the first row is the header.
void print_table(std::vector<std::vector<std::string>> rows);

// A number to so many digits, as short as it can be.
std::string brief(double value, int digits = 6);

}  // namespace hamel::cli
