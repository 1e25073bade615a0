#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "console.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/record/record.hpp"
#include "hamel/report/run_page.hpp"
#include "summary.hpp"

namespace hamel::cli {

namespace {

struct ReportOptions : Options {
  std::string record, out;
};

// The model of a record, with the parameters that the run had.
ModelFile model_of(const RecordHeader& header, const std::string& path) {
  if (header.model_text.empty())
    throw std::runtime_error(fmt::format("{} does not contain its model file; it was not made by hamel run", path));
  ModelFile file = parse_model(header.model_text, path);
  Overrides changed;
  for (std::size_t k = 0; k < header.parameters.size() && k < file.model.parameters().size(); ++k) {
    const Parameter &recorded = header.parameters[k], &written = file.model.parameters()[k];
    if (recorded.value.rows() == written.value.rows() && recorded.value.cols() == written.value.cols() &&
        recorded.value == written.value)
      continue;
    std::string rows;
    for (Eigen::Index i = 0; i < recorded.value.rows(); ++i) {
      std::string row;
      for (const double number : recorded.value.row(i))
        row += fmt::format("{}{:.17g}", row.empty() ? "" : ", ", number);
      rows += (i == 0 ? "" : ", ") + (recorded.value.cols() > 1 ? "[" + row + "]" : row);
    }
    changed.emplace_back(recorded.name, recorded.value.size() == 1 ? rows : "[" + rows + "]");
  }
  return changed.empty() ? file : parse_model(header.model_text, path, changed);
}

// What is drawn is computed by the model from the numbers of the record.
void need_same_coordinates(const Model& model, const RecordHeader& header, const std::string& path) {
  std::size_t ambient = 0;
  bool same = model.coordinates().size() == header.coordinates.size();
  for (std::size_t k = 0; same && k < header.coordinates.size(); ++k) {
    const Coordinate& coordinate = model.coordinates()[k];
    same = coordinate.name == header.coordinates[k].name && coordinate.space.name() == header.coordinates[k].space;
    ambient += static_cast<std::size_t>(coordinate.space.ambient());
  }
  if (!same || ambient != header.q_names.size())
    throw std::runtime_error(fmt::format("{}: /q is not the configuration of its model", path));
}

void report(const ReportOptions& options) {
  if (!options.out.empty()) need_output(options.out, options.overwrite, {options.record});
  const RecordReader record(options.record);
  const ModelFile file = model_of(record.header(), options.record);
  need_same_coordinates(file.model, record.header(), options.record);
  if (!options.out.empty()) write_report(options.out, options.record, file, options.overwrite);
  if (options.json)
    print_json(summary_json(file.model, record.summary()));
  else
    print_summary(file.model, record.summary());
  if (!options.out.empty() && !options.json) say("\nreport  {}\n", options.out);
  if (!record.damage().empty()) throw std::runtime_error(record.damage());
}

}  // namespace

void add_report(CLI::App& program) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      add_command(program, "report", "the report of a recorded run", "  hamel report run.h5 --out run.html", *options);
  command->add_option("run", options->record, "a record of hamel run --out")->required()->type_name("RUN");
  command->add_option("--out", options->out, "write a page with the 3-D motion to this HTML file")->type_name("FILE");
  add_overwrite_option(*command, *options);
  command->callback([options] { report(*options); });
}

}  // namespace hamel::cli
