#include <fmt/format.h>

#include <filesystem>
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

void write(const RecordReader& record, const ConvertOptions& options) {
  const CsvOptions csv{.every = options.every, .overwrite = options.overwrite};
  if (options.csv == "-") return write_csv(record, std::cout, csv);
  const std::string path =
      options.csv.empty() ? std::filesystem::path(options.record).replace_extension(".csv").string() : options.csv;
  write_csv(record, path, csv);
  if (options.json)
    fmt::print("{}\n", Json{{"csv", path}, {"rows", record.rows()}}.dump(2));
  else if (!options.quiet)
    fmt::print("wrote {}\n", path);
}

void convert(const ConvertOptions& options) {
  const RecordReader record(options.record);
  write(record, options);
  if (!record.damage().empty()) throw std::runtime_error(record.damage());
}

}  // namespace

void add_convert(CLI::App& program) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = add_command(program, "convert", "a record for other tools",
                                  "  hamel convert run.h5 --csv\n  hamel convert run.h5 --csv - | head", *options);
  command->add_option("run", options->record, "a record of hamel run --out")->required()->type_name("RUN");
  command->add_option("--csv", options->csv, "comma-separated values, in this file; - is stdout; default: RUN.csv")
      ->required()
      ->expected(0, 1)
      ->type_name("FILE");
  command->add_option("--every", options->every, "take each n-th row")->check(positive_number());
  command->add_flag("--overwrite", options->overwrite, "replace a file that exists");
  command->callback([options] { convert(*options); });
}

}  // namespace hamel::cli
