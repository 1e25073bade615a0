#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "command.hpp"
#include "console.hpp"
#include "hamel/record/csv.hpp"
#include "hamel/record/output_file.hpp"

namespace hamel::cli {

namespace {

struct ConvertOptions : Options {
  std::string record, csv;
  std::size_t every = 1;
};

// Where the table goes; empty: to standard output.
std::string target_of(const ConvertOptions& options) {
  if (options.csv == "-") return {};
  return options.csv.empty() ? std::filesystem::path(options.record).replace_extension(".csv").string() : options.csv;
}

void convert(const ConvertOptions& options) {
  const std::string path = target_of(options);
  if (!path.empty()) need_output(path, options.overwrite, {options.record});
  const RecordReader record(options.record);
  const CsvOptions csv{.every = options.every, .overwrite = options.overwrite};
  path.empty() ? write_csv(record, std::cout, csv) : write_csv(record, path, csv);
  if (!path.empty() && options.json)
    print_json(Json{{"csv", path}, {"rows", record.rows()}});
  else if (!path.empty())
    say("wrote {}\n", path);
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
  add_overwrite_option(*command, *options);
  command->callback([options] { convert(*options); });
}

}  // namespace hamel::cli
