#include "hamel/record/csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hamel {
namespace {

constexpr std::size_t block_rows = 1024;

std::string as_field(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

void add_output_names(std::vector<std::string>& names, const RecordHeader::Named& output) {
  if (output.size() == 1) names.push_back(output.name);
  if (output.size() == 1) return;
  for (int j = 0; j < output.cols; ++j)
    for (int i = 0; i < output.rows; ++i)
      names.push_back(output.cols == 1 ? fmt::format("{}[{}]", output.name, i + 1)
                                       : fmt::format("{}[{},{}]", output.name, i + 1, j + 1));
}

std::string names_of(const RecordHeader& header) {
  std::vector<std::string> names{"t"};
  names.insert(names.end(), header.q_names.begin(), header.q_names.end());
  names.insert(names.end(), header.v_names.begin(), header.v_names.end());
  if (header.has_energy) names.insert(names.end(), {"kinetic energy", "potential energy", "energy"});
  names.emplace_back("manifold error");
  if (!header.constraints.empty()) names.emplace_back("constraint error");
  for (const auto& momentum : header.momenta) names.push_back(momentum.name);
  for (const auto& output : header.outputs) add_output_names(names, output);
  for (std::string& name : names) name = as_field(name);
  return fmt::format("{}\n", fmt::join(names, ","));
}

void add_line(fmt::memory_buffer& text, const Rows& rows, Eigen::Index k) {
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "{:.17g}", rows.time(k));
  const auto add = [&](const auto& table) {
    for (Eigen::Index j = 0; j < table.cols(); ++j) fmt::format_to(to, ",{:.17g}", table(k, j));
  };
  add(rows.q), add(rows.v);
  for (const VectorXd* column :
       {&rows.kinetic, &rows.potential, &rows.total, &rows.manifold_error, &rows.constraint_error})
    if (column->size() > 0) add(*column);
  add(rows.momenta);
  for (const RowMatrix& output : rows.outputs) add(output);
  text.push_back('\n');
}

}  // namespace

void write_csv(const RecordReader& record, std::ostream& out, const CsvOptions& options) {
  out << names_of(record.header());
  for (std::size_t first = 0; first < record.rows() && out; first += block_rows * options.every) {
    const Rows rows = record.read(first, block_rows, options.every);
    fmt::memory_buffer text;
    for (Eigen::Index k = 0; k < rows.time.size(); ++k) add_line(text, rows, k);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  out.flush();
}

void write_csv(const RecordReader& record, const std::string& path, const CsvOptions& options) {
  std::error_code none;
  const bool exists = std::filesystem::exists(path, none);
  const bool is_device = exists && !std::filesystem::is_regular_file(path, none);
  if (exists && !is_device && !options.overwrite)
    throw std::runtime_error(fmt::format("{} exists and was not touched; give another path, or overwrite it", path));
  const std::string unfinished = is_device ? path : path + ".unfinished";
  errno = 0;
  std::ofstream out(unfinished, std::ios::binary);
  if (out) write_csv(record, out, options);
  out.close();
  if (out && (is_device || std::rename(unfinished.c_str(), path.c_str()) == 0)) return;
  const int why = errno;
  if (!is_device) std::remove(unfinished.c_str());
  throw std::runtime_error(fmt::format("cannot write {}: {}; nothing was written", path, std::strerror(why)));
}

}  // namespace hamel
