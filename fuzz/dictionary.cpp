// Prints the words of model files as a dictionary of libFuzzer: from the tables that the reader itself has, so that it
// is complete.
#include <cstdio>
#include <string>

#include "hamel/manifold/spaces.hpp"
#include "language/builtins.hpp"
#include "language/vocabulary.hpp"

namespace {

void print(const std::string& word) {
  std::string escaped;
  for (const char c : word) escaped += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  std::printf("\"%s\"\n", escaped.c_str());
}

}  // namespace

int main() {
  for (const auto& [name, function] : hamel::builtins()) print(name + "(");
  for (const auto& [name, value] : hamel::builtin_constants()) print(name);
  for (const std::string& section : hamel::known_sections()) print("[" + section + "]");
  for (const auto& [section, keys] : hamel::known_keys())
    for (const std::string& key : keys) print(key);
  for (const hamel::SpaceRow& row : hamel::space_rows()) print("\"" + std::string(row.example) + "\"");
  for (const char* space : {"R1", "S1", "S2[n]", "SO(3)", "R^2", "{x in R3 : ", " : x in R3}", "group(", "orbit("})
    print(std::string("\"") + space + "\"");
  for (const char* phrase : {"sum(", "if(",    "in 1..n", "i < j in ", "(i, j) in ", "[k in 1..3]", "[k-1]", "'",
                             "''",   "\"\"\"", "1e308",   "1e-308",    "999999999",  "-1",          "..",    "<=",
                             ">=",   "==",     "!=",      "^",         "**",         "true",        "nan"})
    print(phrase);
}
