#include "hamel/analyze/region.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "command.hpp"
#include "console.hpp"
#include "gallery.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/region_picture.hpp"
#include "hamel/report/words.hpp"
#include "place.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace hamel::cli {

namespace {

using Eigen::Index;

struct RegionRequest : Options {
  std::string model, at, picture;
  std::vector<std::string> along;  // NAME=LOW:HIGH
  RegionOptions options = {};
};

double limit_of(const std::string& text, const std::string& whole) {
  double value = 0;
  if (!CLI::detail::lexical_cast(CLI::detail::trim_copy(text), value) || !std::isfinite(value))
    throw UsageError(fmt::format("an axis is NAME=LOW:HIGH, as in --along q.x=-1:1, got {}", whole));
  return value;
}

RegionAxis axis_named(const std::string& text, const Model& model, const LinearModel& linear) {
  const std::size_t equals = text.rfind('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == 0 || equals == std::string::npos || colon == std::string::npos)
    throw UsageError(fmt::format("an axis is NAME=LOW:HIGH, as in --along q.x=-1:1, got {}", text));
  const double low = limit_of(text.substr(equals + 1, colon - equals - 1), text),
               high = limit_of(text.substr(colon + 1), text);
  try {
    return region_axis(model, linear, text.substr(0, equals), low, high);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

Json region_json(const std::string& model, const std::string& at, const Region& region) {
  Json axes = Json::array(), starts = Json::array();
  for (const RegionAxis& axis : region.axes)
    axes.push_back({{"name", axis.name}, {"low", axis.low}, {"high", axis.high}});
  for (const Region::Start& start : region.starts) {
    Json entry = {{"at", std::vector<double>(start.at.begin(), start.at.end())}, {"fate", name(start.fate)}};
    if (start.fate == Fate::home) entry["time"] = start.time;
    starts.push_back(entry);
  }
  return {{"model", model},
          {"at", at},
          {"axes", axes},
          {"ball", region.ball},
          {"stay", region.stay},
          {"until", region.until},
          {"home", region.count(Fate::home)},
          {"away", region.count(Fate::away)},
          {"lost", region.count(Fate::lost)},
          {"given_up", region.count(Fate::given_up)},
          {"not_tried", region.count(Fate::not_tried)},
          {"starts", starts}};
}

void print_region(const std::string& model, const std::string& at, const Region& region) {
  std::vector<std::string> axes;
  for (const RegionAxis& axis : region.axes)
    axes.push_back(fmt::format("{} from {} to {}", axis.name, brief(axis.low), brief(axis.high)));
  const std::size_t tried = region.starts.size() - region.count(Fate::not_tried);
  std::vector<std::pair<std::string, std::string>> facts = {
      {"model", model},
      {"equilibrium", at},
      {"starts", fmt::format("{}{}", region.starts.size(), region.points > 0 ? " on a grid" : " at random")},
      {"along", fmt::format("{}", fmt::join(axes, ", "))},
      {"home", fmt::format("{} of {}", region.count(Fate::home), tried)},
      {"away", std::to_string(region.count(Fate::away))}};
  if (region.count(Fate::lost) > 0)
    facts.emplace_back("lost", fmt::format("{}: they could not be followed", region.count(Fate::lost)));
  if (region.count(Fate::given_up) > 0)
    facts.emplace_back("given up",
                       fmt::format("{}: too many steps; stiff, or far away (--steps)", region.count(Fate::given_up)));
  if (tried < region.starts.size())
    facts.emplace_back("not tried", fmt::format("{}: time was over (--seconds)", region.starts.size() - tried));
  print_facts(facts);
  say_paragraph(region.rule());
}

void show_region(RegionRequest& request) {
  for (const std::string& file : {request.report, request.picture})
    if (!file.empty()) need_output(file, request.overwrite, {model_path(request.model)});
  if (!request.picture.empty() && !request.picture.ends_with(".svg"))
    throw UsageError(fmt::format("--picture writes SVG: name it {}.svg", request.picture));
  const ModelFile file = load_model(request.model, request);
  const System system = derive(file.model);
  const NamedPlace place = place_named(request.at, file, system);
  if (!place.moving.is_rest())
    throw UsageError(
        fmt::format("{} is a steady motion: a region of attraction belongs to a point at rest", place.name));
  const Linearization linearization(system);
  const Examined there = examined(linearization, place.state);
  const LinearModel& linear = there.linear;
  for (const std::string& text : request.along) request.options.axes.push_back(axis_named(text, file.model, linear));
  if (request.along.empty()) request.options.axes = usual_region_axes(file.model, linear);
  const std::atomic<bool>& stop = stop_on_signal();
  const Region region = [&] {
    ProgressBar bar(!is_quiet() && !request.json);
    request.options.go_on = [&](double part) {
      bar(part);
      return !stop;
    };
    return region_of_attraction(linearization, linear, request.options);
  }();
  if (request.json)
    print_json(region_json(file.model.name(), place.name, region));
  else
    print_region(file.model.name(), place.name, region);
  if (!request.picture.empty()) {
    OutputFile picture(request.picture, request.overwrite);
    picture.write(draw(region, fmt::format("{}: starts near {}", file.model.name(), place.name)));
    picture.publish();
  }
  if (!request.report.empty()) {
    write_report(request.report, region_page(file, system, {place.name, linear, there.stability}, region),
                 request.overwrite);
  }
  if (request.json) return;
  if (!request.picture.empty()) say("\npicture  {}\n", request.picture);
  if (!request.report.empty()) say("{}report   {}\n", request.picture.empty() ? "\n" : "", request.report);
}

}  // namespace

void add_region(CLI::App& program) {
  const auto request = std::make_shared<RegionRequest>();
  CLI::App* command = add_command(program, "region", "from where a model comes home to an equilibrium",
                                  "  hamel region my-pole.toml --at upright --picture region.svg\n"
                                  "  hamel region my-pole.toml --along q.x=-1:1 --along \"x'=-3:3\" --grid 61",
                                  *request);
  add_model_argument(*command, request->model, *request);
  add_place_option(*command, request->at);
  command
      ->add_option("--along", request->along,
                   "an axis of starts: an entry of q, or x1, x2, ... of hamel linearize; with ' its rate: --along "
                   "q.x=-1:1 --along \"q.x'=-3:3\"; default: what turns first, and its rate")
      ->type_name("NAME=LOW:HIGH")
      ->allow_extra_args(false);
  RegionOptions& options = request->options;
  CLI::Option* grid =
      command->add_option("--grid", options.points, "starts along each axis; default: 41")->check(CLI::Range(2, 2000));
  command->add_option("--sample", options.sample, "so many random starts in place of a grid, along any number of axes")
      ->check(CLI::Range(1, 10000000))
      ->excludes(grid);
  command->add_option("--seed", options.seed, "of the random starts; default: 1")->type_name("N");
  const auto positive = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(positive_number());
  };
  positive("--ball", options.ball, "how near is home; default: a fiftieth of the farthest start");
  positive("--stay", options.stay, "for how long it must stay there; default: 2 times what errors need to decay by e");
  positive("--until", options.until, "when a start that is not home is away; default: 40 times that");
  positive("--seconds", options.seconds, "of work, at most; default: 60");
  command->add_option("--steps", options.steps, "of one start, at most; default: 20000")
      ->check(CLI::Range(1, 1000000000))
      ->type_name("N");
  command->add_option("--picture", request->picture, "write a drawing to this SVG file")->type_name("FILE");
  add_report_option(*command, *request, "write a report with the drawing to this HTML file");
  command->callback([request] { show_region(*request); });
}

}  // namespace hamel::cli
