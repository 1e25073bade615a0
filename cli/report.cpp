#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "console.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/record/record.hpp"
#include "hamel/report/run_page.hpp"
#include "summary.hpp"
#include "sweep.hpp"

namespace hamel::cli {

namespace {

struct ReportOptions : Options {
  std::string record, out;
};

void report(const ReportOptions& options) {
  if (!options.out.empty()) need_output(options.out, options.overwrite, {options.record});
  if (is_sweep_file(options.record)) {
    const SweepReader sweep(options.record);
    const SweepShown shown{.json = options.json, .overwrite = options.overwrite, .report = options.out};
    show_sweep(table_to_show(sweep, shown), shown);
    if (!sweep.damage().empty()) throw std::runtime_error(sweep.damage());
    return;
  }
  const RecordReader record(options.record);
  const ModelFile file = model_of(record.header(), options.record);
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
      add_command(program, "report", "the report of a recorded run, or of a sweep",
                  "  hamel report run.h5 --out run.html\n  hamel report sweep.h5 --out sweep.html", *options);
  command->add_option("run", options->record, "a record of hamel run --out, or the file of hamel sweep --out")
      ->required()
      ->type_name("RUN");
  command->add_option("--out", options->out, "write a page with the 3-D motion to this HTML file")->type_name("FILE");
  add_overwrite_option(*command, *options);
  command->callback([options] { report(*options); });
}

}  // namespace hamel::cli
