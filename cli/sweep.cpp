#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/model/name_list.hpp"
#include "hamel/program/device.hpp"
#include "hamel/record/file_sweep.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/record/sweep_table.hpp"
#include "hamel/report/words.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "sweep_ranks.hpp"

namespace hamel::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t many_members = 100'000'000;
constexpr double flush_seconds = 1;
constexpr std::size_t flush_bytes = 4U << 20;

struct SweepOptions : Options {
  std::string model, out, csv, picture, sampling = "random", on = "cpu";
  SweepRequest request;
  unsigned threads = 0;
  bool resume = false, on_another_machine = false, however_many = false;
};

double seconds_from(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string time_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 172'800) return fmt::format("{:.3g} h", seconds / 3600);
  const double days = seconds / 86'400;
  return days < 730 ? fmt::format("{:.3g} days", days) : fmt::format("{:.3g} years", days / 365.25);
}

std::string size_text(double bytes) {
  constexpr std::array units{"MB", "GB", "TB", "PB"};
  std::size_t k = 0;
  double size = bytes / 1e6;
  for (; size >= 1000 && k + 1 < units.size(); ++k) size /= 1000;
  return fmt::format("{:.3g} {}", size, units[k]);
}

// 1,000,000
std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, ",");
  return text;
}

// How long one takes, from some in the middle: the more, the better, as long as nobody has to wait.
double seconds_per_member(const FileSweep& sweep) {
  constexpr double longest = 2;
  const auto seconds_for = [&](unsigned count) {
    const std::uint64_t first = sweep.vary().members() / 2;
    const auto begin = Clock::now();
    ensemble(sweep.members(), sweep.vary(), sweep.keep(), {.threads = 1, .first = first, .last = first + count},
             [](const EnsembleChunk&) {});
    return seconds_from(begin);
  };
  seconds_for(1);  // which compiles programs
  double seconds = seconds_for(1);
  for (const unsigned count : {8U, 64U, 512U, 4096U})
    if (seconds * count < longest) seconds = seconds_for(count) / count;
  return seconds;
}

void need_few_members(const FileSweep& sweep, const SweepOptions& options) {
  const std::uint64_t members = sweep.vary().members();
  if (members <= many_members || options.however_many) return;
  const double seconds = seconds_per_member(sweep) * static_cast<double>(members);
  const double bytes =
      8.0 * static_cast<double>(members) * static_cast<double>(sweep.header().kept_width() + sweep.vary().width() + 2);
  throw UsageError(fmt::format(
      "{} members would take about {} on one core, and {} of disk: take a coarser grid, or samples (--sample, "
      "--members); to begin all the same: --however-many, with --out and --resume",
      count_text(members), time_text(seconds), size_text(bytes)));
}

// Chunks to the file and to the table, flushed now and then.
class SweepSink {
 public:
  SweepSink(SweepWriter* writer, SweepTable& table, double seconds_before)
      : writer_(writer), table_(table), seconds_before_(seconds_before) {}

  void operator()(const EnsembleChunk& chunk) {
    table_.add(chunk);
    if (writer_ == nullptr) return;
    writer_->append(chunk);
    if (seconds_from(last_) > flush_seconds || writer_->bytes_waiting() > flush_bytes) commit(false);
  }
  void commit(bool finished) {
    if (writer_ != nullptr) writer_->commit(seconds(), finished);
    last_ = Clock::now();
  }
  double seconds() const { return seconds_before_ + seconds_from(begin_); }

 private:
  SweepWriter* writer_;
  SweepTable& table_;
  double seconds_before_;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

void check_sweep_files(const SweepOptions& options, const std::string& model) {
  if (options.resume && options.out.empty()) throw UsageError("--resume needs --out FILE, the sweep to be continued");
  std::vector<std::string> others = options.request.lists;
  others.push_back(model);
  const auto need = [&](const std::string& path, bool is_written_anew) {
    if (path.empty() || path == to_stdout) return;
    if (is_written_anew) need_output(path, options.overwrite, others);
    others.push_back(path);
  };
  if (options.json && options.csv == to_stdout)
    throw UsageError("--json and --csv - both write to standard output; give one of them a file");
  need(options.out, !options.resume);
  need(options.csv, true);
  need(options.picture, true);
  need(options.report, true);
  if (!options.picture.empty() && !options.picture.ends_with(".svg"))
    throw UsageError(fmt::format("--picture writes SVG: name it {}.svg", options.picture));
}

constexpr const char* go_on = "; the same command with --resume goes on";

std::unique_ptr<Accelerator> gpu_of_this_machine() {
  try {
    return find_device();
  } catch (const NoDevice& error) {
    throw std::runtime_error(fmt::format("{}; without --on cuda the sweep runs on the CPU", error.what()));
  }
}

void need_fit(const FileSweep& sweep, const Where& where) {
  try {
    check_where(sweep.members(), sweep.vary(), sweep.keep(), where);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

FileSweep sweep_of(const ModelFile& file, const SweepOptions& options) {
  try {
    return {file, options.request};
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

std::vector<std::string> formulas_of(const SweepOptions& options) {
  try {
    return formulas_asked(options.request);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

ModelFile model_of(const SweepOptions& options) {
  ModelFile file = load_model(options.model, options, formulas_of(options));
  if (!(changed(file.run, options.request.run).until.t > file.start.t))
    throw UsageError("until when? Use --until, or [run] in the model file");
  return file;
}

void sweep_of_rank(Ranks& ranks, Where where, const SweepOptions& options) {
  where.stop = &stop_on_signal();
  std::optional<ModelFile> file;
  std::optional<FileSweep> what;
  work_for_others(
      ranks,
      [&]() -> const FileSweep& {
        if (!file) file.emplace(model_of(options));
        if (!what) what.emplace(*file, options.request);
        return *what;
      },
      where);
}

SweepTable table_of_size(const SweepHeader& header, const SweepShown& shown) {
  try {
    return table_to_show(header, shown);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

void sweep(SweepOptions& options) {
  options.request.sampling.sampling = sampling_named(options.sampling);
  Where where{.on = device_named(options.on), .threads = options.threads};
  std::optional<Ranks> ranks;
  if (where.on == Device::mpi) {
    ranks.emplace();
    where.on = Device::cpu;  // of each rank
    where.threads = std::max(1U, options.threads);
    if (ranks->rank() > 0) return sweep_of_rank(*ranks, where, options);
  }
  if (ranks && options.model == "-")
    throw UsageError("standard input reaches the first rank alone: --on mpi needs a model file");
  check_sweep_files(options, model_path(options.model));
  const auto gpu = where.on == Device::cuda ? gpu_of_this_machine() : nullptr;
  where.gpu = gpu.get();
  const ModelFile file = model_of(options);
  const FileSweep what = sweep_of(file, options);
  need_few_members(what, options);
  need_fit(what, where);
  where.stop = &stop_on_signal();
  SweepHeader header = what.header();
  if (gpu) header.machine["gpu"] = gpu->name() + ", " + gpu->compiler();

  const SweepShown shown{.json = options.json,
                         .overwrite = options.overwrite,
                         .out = options.out,
                         .csv = options.csv,
                         .picture = options.picture,
                         .report = options.report};
  SweepTable table = table_of_size(header, shown);
  std::optional<SweepWriter> writer;
  if (options.resume) {
    writer.emplace(SweepWriter::resume(options.out, header, options.on_another_machine));
    where.first = writer->rows();
  } else if (!options.out.empty()) {
    writer.emplace(options.out, header, options.overwrite);
  }
  SweepSink sink(writer ? &*writer : nullptr, table, writer ? writer->wall_seconds() : 0);
  sink.commit(false);
  const auto with_what_is_kept = [&](const std::runtime_error& error) {
    sink.commit(false);
    return std::runtime_error(
        fmt::format("{}; {}", error.what(), writer ? writer->kept() + go_on : "without --out nothing was written"));
  };
  const bool finished = [&] {
    ProgressBar bar(!is_quiet() && !options.json);
    const auto take = [&](const EnsembleChunk& chunk) {
      sink(chunk);
      bar(static_cast<double>(chunk.first + chunk.size()) / static_cast<double>(what.vary().members()));
    };
    try {
      const bool all = ranks ? hand_out(*ranks, what, where, options.on_another_machine, take)
                             : ensemble(what.members(), what.vary(), what.keep(), where, take);
      sink.commit(all);
      return all;
    } catch (const DeviceError& error) {
      throw with_what_is_kept(error);
    } catch (const RankError& error) {
      throw with_what_is_kept(error);
    }
  }();
  table.finish(sink.seconds(), finished);
  if (options.resume) {  // what was done before is in the file alone
    writer.reset();
    table = table_to_show(SweepReader(options.out), shown);
  }
  const std::string problem = show_sweep(table, shown);
  if (finished && table.failed() == table.members() && !table.failures().empty())
    throw std::runtime_error(
        fmt::format("all members failed; {}: {}", table.failures().front().member, table.failures().front().why));
  if (!finished)
    throw std::runtime_error(fmt::format("stopped after {} of {} members{}", table.members(), what.vary().members(),
                                         options.out.empty() ? "" : go_on));
  if (!problem.empty()) throw std::runtime_error(problem);
}

// Also as 1e6.
CLI::Validator number_of_members() {
  const auto make_whole = [](std::string& text) {
    constexpr double most = 1e15;
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value) || !(value >= 1 && value <= most) || value != std::floor(value))
      return fmt::format("must be a whole number from 1 to {}, not {}", most, text);
    text = std::to_string(static_cast<std::uint64_t>(value));
    return std::string();
  };
  return {make_whole, "", "number of members"};
}

CLI::Validator seed() {
  const auto check = [](const std::string& text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::string()
                                               : fmt::format("must be a whole number from 0 to 2^64 - 1, not {}", text);
  };
  return {check, "", "seed"};
}

}  // namespace

void add_sweep(CLI::App& program) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command =
      add_command(program, "sweep", "many motions of a model: grids, lists and samples of parameters and starts",
                  "  hamel sweep planar-pendulum --vary 'm=0.5:2:20' --keep final --keep energy\n"
                  "  hamel sweep my.toml --vary 'a=0:1:200' --vary 'b=0:1:200' --keep 'max(height)' --out sweep.h5 "
                  "--report map.html\n"
                  "  hamel sweep my.toml --sample 'l ~ normal(1, 0.01)' --sample 'start.q ~ cap(20 deg)' --members "
                  "1000 --sampling sobol\n"
                  "  hamel sweep my.toml --vary-list members.csv --csv results.csv\n"
                  "  hamel sweep my.toml --vary 'a=0:1:200' --vary 'b=0:1:200' --keep 'max(height)' --out sweep.h5 "
                  "--resume\n"
                  "  mpirun -n 64 hamel sweep my.toml --vary 'a=0:1:200' --out sweep.h5 --on mpi",
                  *options);
  SweepRequest& request = options->request;
  add_model_argument(*command, options->model, *options);
  const auto texts = [&](const char* name, std::vector<std::string>& to, const char* type, const char* description) {
    command->add_option(name, to, description)->type_name(type)->allow_extra_args(false);
  };
  texts(
      "--vary", request.vary, "NAME=LOW:HIGH:COUNT",
      "a grid of a parameter (m, m[1]) or of the start (start.x, start.x.y, start.x'); each with each, or side by side "
      "where a comma stands between two");
  texts("--vary-list", request.lists, "FILE", "a CSV file: a line of names, then a line of numbers for each member");
  texts("--sample", request.samples, "NAME~DISTRIBUTION",
        "normal(mean, deviation), uniform(low, high), lognormal(mean, deviation), or of a point cap(20 deg)");
  command->add_option("--members", request.members, "how many samples")->transform(number_of_members())->type_name("N");
  command->add_option("--sampling", options->sampling, "random, sobol or latin; default: random")
      ->check(one_of("sampling", sampling_names()));
  command->add_option("--seed", request.sampling.seed, "of the samples; default: 1")->type_name("N")->check(seed());
  texts(
      "--keep", request.keep, "WHAT",
      "final, energy, momenta, an output or a formula F, max(F), min(F), mean(F), drift(F), series(F); default: final "
      "and the outputs");
  texts("--event", request.events, "NAME=F", "when a formula is first zero, and how often; or rising(F), falling(F)");
  texts("--stop", request.stops, "NAME=F", "the same, and the member ends there");
  command->add_option("--integrator,--method", request.run.integrator, "variational, gauss16, rk4, rk45, ...")
      ->type_name("NAME")
      ->check(one_of("integrator", method_names()));
  const auto positive = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(positive_number());
  };
  positive("--step", request.run.step, "step of methods with a fixed step");
  positive("--tolerance", request.run.tolerance, "of methods that choose their steps");
  positive("--until", request.run.until, "end time");
  positive("--every", request.run.every, "time between two outputs; default: every step");
  command->add_option("--halvings", request.run.halvings, "how often a step that cannot be taken may be halved")
      ->check(CLI::Range(0, Until::most_halvings));
  command->add_option("--on", options->on, "cpu, cuda (a GPU) or mpi (the ranks of mpirun); default: cpu")
      ->check(one_of("device", device_names()));
  command->add_option("--threads", options->threads, "default: as many as there are cores; of a rank: 1")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command->add_option("--out,--output", options->out, "keep all in this HDF5 file")->type_name("FILE");
  command->add_option("--csv", options->csv, "write the table to this file; - is stdout")->type_name("FILE");
  command->add_option("--picture", options->picture, "write a drawing to this SVG file")->type_name("FILE");
  add_report_option(*command, *options, "write a report with the drawings to this HTML file");
  command->add_flag("--resume", options->resume, "go on with --out, to the same bits as without a stop");
  command->add_flag("--on-another-machine", options->on_another_machine,
                    "--resume though processor, compiler, flags or libm are others, and the last bits may be");
  command->add_flag("--however-many", options->however_many, "begin a sweep of more than 100,000,000 members");
  command->callback([options] { sweep(*options); });
}

}  // namespace hamel::cli
