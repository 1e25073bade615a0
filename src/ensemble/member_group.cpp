#include "ensemble/member_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <stdexcept>

#include "hamel/graph/interruption.hpp"
#include "hamel/model/name_list.hpp"

namespace hamel {

std::size_t GroupSize::of(const System& system, bool varies_parameters, std::uint64_t members, unsigned threads,
                          double rows) {
  constexpr int large = 100;  // ambient coordinates
  constexpr std::size_t lanes = LaneStepper::lanes;
  const auto fit = static_cast<std::size_t>(std::clamp<double>(rows / threads, lanes, most)) / lanes * lanes;
  if (varies_parameters || system.ambient() > large) return std::min(fewest, fit);
  return std::min(std::clamp<std::size_t>(members / (8 * threads) / fewest * fewest, fewest, most), fit);
}

MemberMaker::MemberMaker(const Members& members, const Vary& vary) : members_(members) {
  std::size_t column = 0;
  for (const Varied& varied : vary.quantities()) {
    if (!is_start_name(varied.name)) parameters_.push_back({varied.name, column, shape_of(varied)});
    column += static_cast<std::size_t>(varied.size);
  }
  need_different_places();
  std::vector<double> row(vary.width());
  for (const std::uint64_t member : {std::uint64_t{0}, std::max<std::uint64_t>(vary.members(), 1) - 1}) {
    if (member >= vary.members()) break;
    vary.row(member, row);
    need_same_if_fixed(row);
  }
}

void MemberMaker::need_different_places() const {
  const Model& model = members_.system.model();
  for (auto a = parameters_.begin(); a != parameters_.end(); ++a)
    for (auto b = a + 1; b != parameters_.end(); ++b)
      if (model.place_of_parameter(a->name) == model.place_of_parameter(b->name))
        throw std::invalid_argument(
            fmt::format("{} varies twice, as {} and as {}; say once how", a->name, a->name, b->name));
}

// What no member can have is said before the first one.
void MemberMaker::need_same_if_fixed(std::span<const double> row) const {
  const Model& model = members_.system.model();
  ParameterValues values;
  for (const VariedParameter& varied : parameters_)
    if (!model.origin(model.place_of_parameter(varied.name).slot).fixed_by.empty())
      values.emplace_back(varied.name, varied.value(row));
  if (!values.empty()) static_cast<void>(model.with(values));
}

System MemberMaker::system(std::span<const double> row) const {
  if (parameters_.empty()) return members_.system;
  ParameterValues values;
  for (const VariedParameter& varied : parameters_) values.emplace_back(varied.name, varied.value(row));
  return members_.system.with(values);
}

bool MemberMaker::are_the_same(std::span<const double> row, std::span<const double> other) const {
  return std::all_of(parameters_.begin(), parameters_.end(), [&](const VariedParameter& varied) {
    return std::memcmp(&row[varied.column], &other[varied.column], varied.size() * sizeof(double)) == 0;
  });
}

MemberMaker::Shape MemberMaker::shape_of(const Varied& varied) const {
  const std::string whole = varied.name.substr(0, varied.name.find('['));
  std::vector<std::string> known;
  for (const Parameter& parameter : members_.system.model().parameters()) {
    const auto& value = parameter.value;
    if (parameter.name == varied.name && value.size() == varied.size) return {value.rows(), value.cols()};
    if ((parameter.name == whole || parameter.name == varied.name) && varied.size == 1) return {1, 1};
    if (parameter.name == varied.name)
      throw std::invalid_argument(fmt::format("the parameter {} has {} numbers, and {} are given to each member",
                                              varied.name, value.size(), varied.size));
    known.push_back(parameter.name);
  }
  const std::string near = suggestion(whole, known);
  throw std::invalid_argument(fmt::format(
      "{} has no parameter {}{}", members_.system.name(), varied.name,
      near.empty() ? fmt::format("; there are {}, and start.q of a coordinate q", name_list(known)) : near));
}

namespace {

constexpr std::uint64_t most_tried = 4096;

// The first ones, then some that are spread over all of them: parts of the golden section meet no grid again and again.
std::uint64_t tried_member(std::uint64_t k, std::uint64_t members) {
  constexpr double golden = 0.61803398874989485;
  if (k < GroupSize::fewest || members <= most_tried) return k;
  const double place = static_cast<double>(k) * golden;
  const auto member = static_cast<std::uint64_t>((place - std::floor(place)) * static_cast<double>(members));
  return std::min(member, members - 1);
}

}  // namespace

EnsembleMember first_member(const Members& members, const Vary& vary, const MemberMaker& make) {
  std::string why;
  const std::uint64_t tried = std::min(most_tried, vary.members());
  for (std::uint64_t k = 0; k < tried; ++k) {
    std::vector<double> row(vary.width());
    vary.row(tried_member(k, vary.members()), row);
    try {
      System system = make.system(row);
      State start = members.start(system, row);
      return {std::move(system), std::move(start), {}};
    } catch (const std::exception& error) {
      if (why.empty()) why = error.what();
    }
  }
  throw std::invalid_argument(
      tried == vary.members()
          ? fmt::format("none of the {} members can be started; the first: {}", tried, why)
          : fmt::format("of {} members, {} that are spread over all of them were tried, and none can be started; the "
                        "first: {}",
                        vary.members(), tried, why));
}

MemberGroup::MemberGroup(const Members& members, const Vary& vary, const WatchPlan& plan, const MemberMaker& make,
                         MemberRuns runs, std::size_t most, const std::atomic<bool>* stop)
    : members_(members),
      vary_(vary),
      plan_(plan),
      make_(make),
      runs_(std::move(runs)),
      stop_(stop),
      system_(members.system) {
  for (std::size_t k = 0; k < most; ++k) watches_.emplace_back(plan, members.system);
}

EnsembleChunk MemberGroup::operator()(std::uint64_t first, std::size_t count) {
  const auto rows = static_cast<Eigen::Index>(count);
  chunk_ = {first,
            MemberRows::Zero(rows, static_cast<Eigen::Index>(vary_.width())),
            MemberRows::Zero(rows, static_cast<Eigen::Index>(plan_.width())),
            {}};
  const Interruptible here([this] { need_no_stop(); });
  running_.clear();
  places_.clear();
  for (std::size_t k = 0; k < count; ++k) add(k);
  for (std::size_t k = 0; k < running_.size(); ++k) again(k);
  runs_.run(running_, *this);
  std::sort(chunk_.failures.begin(), chunk_.failures.end(),
            [](const MemberFailure& a, const MemberFailure& b) { return a.member < b.member; });
  return std::move(chunk_);
}

const System& MemberGroup::system_of(std::size_t k) {
  const std::span<double> row = row_of(chunk_.varied, k);
  if (!make_.varies_parameters()) return members_.system;
  if (system_row_.empty() || !make_.are_the_same(row, system_row_)) {
    system_ = make_.system(row);
    system_row_.assign(row.begin(), row.end());
  }
  return system_;
}

void MemberGroup::add(std::size_t k) {
  const std::span<double> values = row_of(chunk_.varied, k);
  vary_.row(chunk_.first + k, values);
  try {
    const System& system = system_of(k);
    running_.push_back(
        {system, members_.start(system, values), watches_[k].events(system), members_.starts_are_checked});
    places_.push_back(k);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    watches_[k].begin(members_.system, row_of(chunk_.kept, k));
    watches_[k].end({});
    chunk_.failures.push_back({chunk_.first + k, error.what()});
  }
}

void MemberGroup::again(std::size_t member) {
  watches_[places_[member]].begin(running_[member].system, row_of(chunk_.kept, places_[member]));
}

void MemberGroup::need_no_stop() const {
  if (stop_ != nullptr && *stop_) throw Stopped();
}

bool MemberGroup::output(std::size_t member, const State& state, In inputs) {
  need_no_stop();
  watches_[places_[member]].output(state, inputs);
  return true;
}

void MemberGroup::ended(std::size_t member, const std::vector<Occurrence>& occurrences, const std::string& failure) {
  const std::size_t k = places_[member];
  watches_[k].end(occurrences);
  if (!failure.empty()) chunk_.failures.push_back({chunk_.first + k, failure});
}

}  // namespace hamel
