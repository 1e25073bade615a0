#include "hamel/record/csv.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "hamel/graph/escape.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel {
namespace {

constexpr std::size_t block_rows = 1024;

std::string names_of(const RecordHeader& header) {
  std::vector<std::string> names{"t"};
  names.insert(names.end(), header.q_names.begin(), header.q_names.end());
  names.insert(names.end(), header.v_names.begin(), header.v_names.end());
  if (header.has_energy) names.insert(names.end(), {"kinetic energy", "potential energy", "energy"});
  names.emplace_back("manifold error");
  if (!header.constraints.empty()) names.emplace_back("constraint error");
  for (const auto& momentum : header.momenta) names.push_back(momentum.name);
  for (const auto& output : header.outputs)
    for (std::string& name : component_names(output.name, output.rows, output.cols)) names.push_back(std::move(name));
  for (std::string& name : names) name = csv_field(name);
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

// Hands out the text piece by piece, as long as the pieces are taken.
template <class Put>
void write_pieces(const RecordReader& record, const CsvOptions& options, Put put) {
  if (!put(names_of(record.header()))) return;
  for (std::size_t first = 0; first < record.rows(); first += block_rows * options.every) {
    const Rows rows = record.read(first, block_rows, options.every);
    fmt::memory_buffer text;
    for (Eigen::Index k = 0; k < rows.time.size(); ++k) add_line(text, rows, k);
    if (!put(std::string_view(text.data(), text.size()))) return;
  }
}

}  // namespace

void write_csv(const RecordReader& record, std::ostream& out, const CsvOptions& options) {
  write_pieces(record, options, [&](std::string_view text) { return static_cast<bool>(out << text); });
  out.flush();
}

void write_csv(const RecordReader& record, const std::string& path, const CsvOptions& options) {
  OutputFile file(path, options.overwrite);
  write_pieces(record, options, [&](std::string_view text) {
    file.write(text);
    return true;
  });
  file.publish();
}

}  // namespace hamel
