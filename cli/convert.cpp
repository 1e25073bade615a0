#include <fmt/format.h>

#include <iostream>

#include "command.hpp"
#include "console.hpp"
#include "hamel/record/csv.hpp"

namespace hamel::cli {

namespace {

struct ConvertOptions : Options {
  std::string record, csv;
  std::size_t every = 1;
  bool overwrite = false;
};

void convert(const ConvertOptions& options) {
  const RecordReader record(options.record);
  const CsvOptions csv{.every = options.every, .overwrite = options.overwrite};
  if (options.csv == "-") return write_csv(record, std::cout, csv);
  write_csv(record, options.csv, csv);
  if (options.json)
    fmt::print("{}\n", Json{{"csv", options.csv}, {"rows", record.rows()}}.dump(2));
  else if (!options.quiet)
    fmt::print("wrote {}\n", options.csv);
}

}  // namespace

void add_convert(CLI::App& program) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      add_command(program, "convert", "a record for other tools",
                  "  hamel convert run.h5 --csv run.csv\n  hamel convert run.h5 --csv - | head", *options);
  command->add_option("run", options->record, "a record of hamel run --out")->required()->type_name("RUN");
  command->add_option("--csv", options->csv, "write comma-separated values to this file; - is stdout")
      ->required()
      ->type_name("FILE");
  command->add_option("--every", options->every, "take each n-th row")->check(positive_number());
  command->add_flag("--overwrite", options->overwrite, "replace a file that exists");
  command->callback([options] { convert(*options); });
}

}  // namespace hamel::cli
