#include "language/tables.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "language/number.hpp"
#include "language/reader.hpp"
#include "language/reading.hpp"

namespace hamel {

namespace {

constexpr std::uintmax_t largest_table_file = 1'000'000;

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\") == std::string::npos &&
         name.find('\0') == std::string::npos;
}

bool is_separator(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (!is_separator(c))
      cells.back() += c;
    else if (!cells.back().empty())
      cells.emplace_back();
  }
  if (cells.back().empty()) cells.pop_back();
  return cells;
}

// Two columns, after at most one line of headings; # begins a comment.
std::string rows_of_file(const std::filesystem::path& path, const Place& place) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem))
    throw SourceError(place, fmt::format("there is no file {} beside the model", path.filename().string()));
  if (std::filesystem::file_size(path, problem) > largest_table_file)
    throw SourceError(place, fmt::format("{} has more than {} bytes", path.filename().string(), largest_table_file));
  std::ifstream file(path);
  std::string rows, line;
  int number = 0;
  bool heading_allowed = true;
  while (std::getline(file, line)) {
    if (++number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty() || cells.front().front() == '#') continue;
    if (cells.size() == 2 && number_of(cells[0]) && number_of(cells[1])) {
      rows += fmt::format("{}[{}, {}]", rows.empty() ? "" : ", ", cells[0], cells[1]);
    } else if (!heading_allowed) {
      throw SourceError(place, fmt::format("line {} of {} is not two numbers: {}", number, path.filename().string(),
                                           line.substr(0, 60)));
    }
    heading_allowed = false;
  }
  if (rows.empty()) throw SourceError(place, fmt::format("{} has no rows of two numbers", path.filename().string()));
  return "[" + rows + "]";
}

}  // namespace

std::string with_tables_of_files(const std::string& text, const std::string& path) {
  if (text.find("tables") == std::string::npos) return text;
  const auto source = std::make_shared<Source>(Source{path, text});
  const TomlValue document = parse_toml(source);
  const TomlEntry* tables = document.find("tables");
  if (tables == nullptr) return text;
  std::string result = text;
  std::vector<std::pair<Place, std::string>> replaced;
  for (const TomlEntry& entry : tables->value.entries) {
    const TomlValue& value = entry.value;
    if (value.kind != TomlValue::Kind::text) continue;
    if (!is_plain_name(value.text.text))
      throw SourceError(value.place, "a table is read from a file in the folder of the model: write its name alone");
    replaced.emplace_back(value.place,
                          rows_of_file(std::filesystem::path(path).parent_path() / value.text.text, value.place));
  }
  std::sort(replaced.begin(), replaced.end(),
            [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  for (const auto& [place, rows] : replaced) result.replace(place.begin, place.length, rows);
  return result;
}

void Reader::tables() {
  const TomlValue* section_of_tables = section("tables");
  if (section_of_tables == nullptr) return;
  for (const TomlEntry& entry : section_of_tables->entries) {
    const std::string& name = entry.key.text;
    if (entry.value.kind == TomlValue::Kind::text)
      throw SourceError(entry.value.place, fmt::format("the table {} is in a file, and a model that is in none has no "
                                                       "files beside it: write its rows, [[x1, y1], [x2, y2], ...]",
                                                       name));
    const Syntax rows = expression(entry.value);
    Definition& definition = define(name, Owner::table, entry.place());
    definition.value = at_place(rows.place, [&] { return table(name, evaluator_->formula(rows)); });
    definition.constant = definition.value;
  }
}

}  // namespace hamel
