#include "ensemble/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "hamel/integrate/request.hpp"
#include "hamel/model/name_list.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

namespace {

constexpr std::size_t longest_series = 1'000'000;

std::vector<Formula> formulas_of(const auto& all) {
  std::vector<Formula> result;
  for (const auto& kept : all) result.push_back(kept.formula);
  return result;
}

// Of runs that begin before their end, and one of the others. 0 where nobody can know it before.
double outputs_of(double start, double end, double interval) {
  return interval > 0 ? std::max(std::ceil((end - start) / interval - 1e-9), 0.0) + 1 : 0;
}

void need_event_formula(const KeptEvent& event) {
  if (event.formula.rows() != 1 || event.formula.cols() != 1)
    throw std::invalid_argument(fmt::format("the event {} needs a formula that is a number, not {} of them", event.name,
                                            event.formula.rows() * event.formula.cols()));
}

std::size_t series_size(double outputs) {
  if (outputs == 0)
    throw std::invalid_argument(
        "a series needs a known number of outputs: give the time between two of them (--every), or a fixed step");
  if (!(outputs <= static_cast<double>(longest_series)))
    throw std::invalid_argument(fmt::format(
        "a series of {:.4g} outputs for each member is too long: give a longer time between two (--every)", outputs));
  return static_cast<std::size_t>(outputs);
}

}  // namespace

std::string to_string(Statistic statistic) {
  static constexpr std::array names{"end", "max", "min", "mean", "drift", "series"};
  return names.at(static_cast<std::size_t>(statistic));
}

bool looks_on_the_way(const Keep& keep) {
  return keep.energy_drift || !keep.momenta.empty() ||
         std::any_of(keep.formulas.begin(), keep.formulas.end(),
                     [](const KeptFormula& kept) { return kept.statistic != Statistic::end; }) ||
         (!keep.formulas.empty() &&
          std::any_of(keep.events.begin(), keep.events.end(), [](const KeptEvent& event) { return event.terminal; }));
}

WatchPlan::WatchPlan(const Members& members, const Keep& keep, double start)
    : keep_(keep),
      until_(members.until.t),
      interval_(members.until.every > 0 ? members.until.every : fixed_step(members.method)),
      looks_on_the_way_(looks_on_the_way(keep)) {
  const System& system = members.system;
  outputs_ = outputs_of(start, until_, interval_);
  if (!members.until.events.empty())
    throw std::invalid_argument("the events of an ensemble are formulas: Keep::events, not Until::events");
  if (keep.energy_drift && !system.has_energies())
    throw std::invalid_argument(fmt::format("{} is given by a field and has no energy to keep", system.name()));
  formulas_ = Values(system, formulas_of(keep.formulas));
  for (const KeptEvent& event : keep.events) need_event_formula(event);
  events_ = Values(system, formulas_of(keep.events));

  columns_.push_back({"t"});
  first_state_ = columns_.size();
  if (keep.final_state) {
    for (const std::string& name : entry_names(system.model())) columns_.push_back({name});
    for (const std::string& name : entry_names(system.model())) columns_.push_back({name + "'"});
  }
  first_event_ = columns_.size();
  for (const KeptEvent& event : keep.events) {
    columns_.push_back({event.name + " time"});
    columns_.push_back({event.name + " count"});
  }
  std::size_t number = 0;
  std::vector<std::pair<const KeptFormula*, std::size_t>> series;
  for (const KeptFormula& kept : keep.formulas) {
    if (kept.statistic == Statistic::series)
      series.emplace_back(&kept, number);
    else
      for (const std::string& name : component_names(kept.name, kept.formula.rows(), kept.formula.cols()))
        add(name, kept.statistic, number++);
    if (kept.statistic == Statistic::series)
      number += static_cast<std::size_t>(kept.formula.rows()) * static_cast<std::size_t>(kept.formula.cols());
  }
  energy_ = number;
  if (keep.energy_drift) add("energy", Statistic::drift, number++);
  first_momentum_ = number;
  for (const ConservedMomentum& momentum : keep.momenta) add(momentum.name, Statistic::drift, number++);
  numbers_ = number;
  if (!series.empty()) series_size_ = series_size(outputs_);
  for (auto [kept, first] : series)
    for (const std::string& name : component_names(kept->name, kept->formula.rows(), kept->formula.cols()))
      add(name, Statistic::series, first++);
  place_columns();
}

void WatchPlan::add(const std::string& name, Statistic statistic, std::size_t number) {
  const bool is_series = statistic == Statistic::series;
  watched_.push_back({number, columns_.size(), statistic});
  columns_.push_back({fmt::format("{} {}", name, to_string(statistic)), is_series ? series_size_ : 1});
}

void WatchPlan::place_columns() {
  std::set<std::string> names;
  for (const KeptColumn& column : columns_) {
    if (!names.insert(column.name).second)
      throw std::invalid_argument(fmt::format("{} is kept twice; say it once", column.name));
    places_.push_back(width_);
    width_ += column.size;
  }
}

void WatchPlan::put_state(std::span<double> row, const State& state) const {
  row[places_[0]] = state.t;
  if (!keep_.final_state) return;
  const auto size = static_cast<std::size_t>(state.q.size());
  for (std::size_t k = 0; k < size; ++k) {
    row[places_[first_state_ + k]] = state.q(static_cast<Eigen::Index>(k));
    row[places_[first_state_ + size + k]] = state.v(static_cast<Eigen::Index>(k));
  }
}

void WatchPlan::put_gathered(std::span<double> row, double start, const State& end, In gathered) const {
  put_state(row, end);
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    const double x = gathered(static_cast<Eigen::Index>(k));
    row[places_[watched_[k].column]] = watched_[k].statistic == Statistic::mean ? x / (end.t - start) : x;
  }
}

void WatchPlan::need_outputs_of_series(double start) const {
  if (series_size_ == 0) return;
  const double outputs = outputs_of(start, until_, interval_);
  if (outputs != static_cast<double>(series_size_))
    throw std::invalid_argument(
        fmt::format("a series has as many outputs for all members, {} as of the first one, and one that starts at t = "
                    "{:.9g} has {}: let all start at the same time, or keep max, min or mean",
                    series_size_, start, outputs));
}

void WatchPlan::prepare(double members) const {
  for (const Values* values : {&formulas_, &events_})
    if (values->size() > 0 && native_pays(values->program(), members * std::max(outputs_, 100.0)))
      values->program().compile();
}

Watch::Watch(const WatchPlan& plan, const System& system)
    : plan_(plan), formulas_(plan.formulas_), numbers_(VectorXd::Zero(static_cast<Eigen::Index>(plan.numbers_))) {
  if (plan.keep_.energy_drift || !plan.keep_.momenta.empty()) work_ = std::make_unique<Workspace>(system);
}

std::vector<Event> Watch::events(const System& member) const {
  std::vector<Event> result;
  if (plan_.keep_.events.empty()) return result;
  const auto values = std::make_shared<Values>(plan_.events_);
  values->set_parameters(member);
  const auto all = std::make_shared<VectorXd>(values->size());
  const auto inputs = std::make_shared<const VectorXd>(VectorXd::Zero(member.inputs()));
  for (std::size_t k = 0; k < plan_.keep_.events.size(); ++k) {
    const KeptEvent& event = plan_.keep_.events[k];
    result.push_back({event.name,
                      [=](const State& state) {
                        (*values)(state.t, state.q, state.v, *inputs, *all);
                        return (*all)(static_cast<Eigen::Index>(k));
                      },
                      event.direction, event.terminal});
  }
  return result;
}

void Watch::begin(const System& member, std::span<double> row) {
  member_ = &member;
  formulas_.set_parameters(member);
  row_ = row;
  outputs_ = 0;
}

void Watch::measure(const State& state, In inputs) {
  formulas_(state.t, state.q, state.v, inputs, numbers_.head(formulas_.size()));
  if (plan_.keep_.energy_drift)
    numbers_(static_cast<Eigen::Index>(plan_.energy_)) = member_->energy(*work_, state.t, state.q, state.v).total;
  for (std::size_t k = 0; k < plan_.keep_.momenta.size(); ++k)
    numbers_(static_cast<Eigen::Index>(plan_.first_momentum_ + k)) =
        plan_.keep_.momenta[k].value(*member_, *work_, state);
  need_finite(state.t);
}

void Watch::need_finite(double t) const {
  if (numbers_.allFinite()) return;
  for (const auto& [number, column, statistic] : plan_.watched_)
    if (!std::isfinite(numbers_(static_cast<Eigen::Index>(number))))
      throw std::runtime_error(fmt::format("{} is not finite at t = {:.9g}", plan_.columns_[column].name, t));
}

void Watch::output(const State& state, In inputs) {
  if (!plan_.looks_on_the_way_ && outputs_ > 0 && state.t != plan_.until_) return plan_.put_state(row_, state);
  measure(state, inputs);
  if (outputs_ == 0) {
    plan_.need_outputs_of_series(state.t);
    first_ = last_ = numbers_;
    start_ = t_ = state.t;
  }
  plan_.put_state(row_, state);
  for (const auto& [number, column, statistic] : plan_.watched_) {
    const auto n = static_cast<Eigen::Index>(number);
    const double x = numbers_(n);
    double& kept = at(column);
    switch (statistic) {
      case Statistic::end:
        kept = x;
        break;
      case Statistic::max:
        kept = outputs_ == 0 ? x : std::max(kept, x);
        break;
      case Statistic::min:
        kept = outputs_ == 0 ? x : std::min(kept, x);
        break;
      case Statistic::mean:  // the integral until the end
        kept = outputs_ == 0 ? 0 : kept + (state.t - t_) * (x + last_(n)) / 2;
        break;
      case Statistic::drift:
        kept = outputs_ == 0 ? 0 : std::max(kept, std::abs(x - first_(n)));
        break;
      case Statistic::series:
        if (outputs_ >= plan_.series_size_)
          throw std::runtime_error(fmt::format("it has more than the {} outputs of its series", plan_.series_size_));
        at(column, outputs_) = x;
        break;
    }
  }
  last_ = numbers_;
  t_ = state.t;
  ++outputs_;
}

// A member that ended early holds its last numbers for the rest of a series.
void Watch::end(const std::vector<Occurrence>& occurrences) {
  for (const auto& [number, column, statistic] : plan_.watched_) {
    if (outputs_ == 0) break;
    const double last = last_(static_cast<Eigen::Index>(number));
    if (statistic == Statistic::mean) at(column) = t_ > start_ ? at(column) / (t_ - start_) : last;
    if (statistic == Statistic::series)
      for (std::size_t k = outputs_; k < plan_.series_size_; ++k) at(column, k) = last;
  }
  for (std::size_t k = 0; k < plan_.keep_.events.size(); ++k) {
    double& time = at(plan_.first_event_ + 2 * k);
    double& count = at(plan_.first_event_ + 2 * k + 1);
    time = std::numeric_limits<double>::infinity();
    for (const Occurrence& occurrence : occurrences) {
      if (occurrence.event != plan_.keep_.events[k].name) continue;
      time = std::min(time, occurrence.state.t);
      ++count;
    }
  }
}

}  // namespace hamel
