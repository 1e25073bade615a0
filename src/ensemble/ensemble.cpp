#include "hamel/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>

#include "ensemble/member_run.hpp"
#include "ensemble/pool.hpp"
#include "ensemble/watch.hpp"
#include "hamel/model/name_list.hpp"
#include "hamel/program/native.hpp"

namespace hamel {

namespace {

constexpr std::size_t group_members = 64;         // that a thread runs together
constexpr double most_waiting_bytes = 64U << 20;  // of rows

struct Stopped {};

// From the row of a member to the member.
class MemberMaker {
 public:
  MemberMaker(const Members& members, const Vary& vary) : members_(members) {
    std::size_t column = 0;
    for (const Varied& varied : vary.quantities()) {
      if (!is_start_name(varied.name)) {
        if (varied.size != 1)
          throw std::invalid_argument(
              fmt::format("the parameter {} is no point of a manifold: use uniform, normal or "
                          "lognormal, and of one entry at a time",
                          varied.name));
        need_parameter(varied.name);
        names_.emplace_back(varied.name, column);
      }
      column += static_cast<std::size_t>(varied.size);
    }
  }

  // All but those that vary are shared.
  System system(std::span<const double> row) const {
    if (names_.empty()) return members_.system;
    ParameterValues values;
    for (const auto& [name, column] : names_) values.emplace_back(name, row[column]);
    return members_.system.with(values);
  }

 private:
  void need_parameter(const std::string& name) const {
    const std::string whole = name.substr(0, name.find('['));
    std::vector<std::string> known;
    for (const Parameter& parameter : members_.system.model().parameters()) known.push_back(parameter.name);
    if (std::find(known.begin(), known.end(), whole) != known.end() ||
        std::find(known.begin(), known.end(), name) != known.end())
      return;
    const std::string near = suggestion(whole, known);
    throw std::invalid_argument(fmt::format(
        "{} has no parameter {}{}", members_.system.name(), name,
        near.empty() ? fmt::format("; there are {}, and start.q of a coordinate q", name_list(known)) : near));
  }

  const Members& members_;
  std::vector<std::pair<std::string, std::size_t>> names_;  // of parameters
};

// Members k, k + 1, ... by one thread.
class Group : public MemberObserver {
 public:
  Group(const Members& members, const Vary& vary, const WatchPlan& plan, const MemberMaker& make, MemberRuns runs,
        const std::atomic<bool>* stop)
      : members_(members), vary_(vary), plan_(plan), make_(make), runs_(std::move(runs)), stop_(stop) {
    for (std::size_t k = 0; k < group_members; ++k) watches_.emplace_back(plan, members.system);
  }

  EnsembleChunk operator()(std::uint64_t first, std::size_t count) {
    const auto rows = static_cast<Eigen::Index>(count);
    chunk_ = {first,
              MemberRows::Zero(rows, static_cast<Eigen::Index>(vary_.width())),
              MemberRows::Zero(rows, static_cast<Eigen::Index>(plan_.width())),
              {}};
    running_.clear();
    places_.clear();
    for (std::size_t k = 0; k < count; ++k) add(k);
    for (std::size_t k = 0; k < running_.size(); ++k) again(k);
    runs_.run(running_, *this);
    std::sort(chunk_.failures.begin(), chunk_.failures.end(),
              [](const MemberFailure& a, const MemberFailure& b) { return a.member < b.member; });
    return std::move(chunk_);
  }

 private:
  static std::span<double> row(MemberRows& rows, std::size_t k) {
    return {rows.row(static_cast<Eigen::Index>(k)).data(), static_cast<std::size_t>(rows.cols())};
  }

  void add(std::size_t k) {
    const std::span<double> values = row(chunk_.varied, k);
    vary_.row(chunk_.first + k, values);
    try {
      System system = make_.system(values);
      State start = members_.start(system, values);
      std::vector<Event> events = watches_[k].events(system);
      running_.push_back({std::move(system), std::move(start), std::move(events)});
      places_.push_back(k);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      watches_[k].begin(members_.system, row(chunk_.kept, k));
      watches_[k].end({});
      chunk_.failures.push_back({chunk_.first + k, error.what()});
    }
  }

  void again(std::size_t member) override {
    watches_[places_[member]].begin(running_[member].system, row(chunk_.kept, places_[member]));
  }

  bool output(std::size_t member, const State& state, In inputs) override {
    if (stop_ != nullptr && *stop_) throw Stopped();
    watches_[places_[member]].output(state, inputs);
    return true;
  }

  void ended(std::size_t member, const std::vector<Occurrence>& occurrences, const std::string& failure) override {
    const std::size_t k = places_[member];
    watches_[k].end(occurrences);
    if (!failure.empty()) chunk_.failures.push_back({chunk_.first + k, failure});
  }

  const Members& members_;
  const Vary& vary_;
  const WatchPlan& plan_;
  const MemberMaker& make_;
  MemberRuns runs_;
  const std::atomic<bool>* stop_;
  std::vector<Watch> watches_;
  EnsembleChunk chunk_;
  std::vector<EnsembleMember> running_;
  std::vector<std::size_t> places_;  // of those that run, in the chunk
};

// A member that can be started, to plan with: the first of the first few. If none of them can, none may ever.
EnsembleMember first_member(const Members& members, const Vary& vary, const MemberMaker& make) {
  std::string why;
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(group_members, vary.members()); ++k) {
    std::vector<double> row(vary.width());
    vary.row(k, row);
    try {
      System system = make.system(row);
      State start = members.start(system, row);
      return {std::move(system), std::move(start), {}};
    } catch (const std::exception& error) {
      if (why.empty()) why = error.what();
    }
  }
  throw std::invalid_argument(fmt::format("none of the first {} members can be started: {}",
                                          std::min<std::uint64_t>(group_members, vary.members()), why));
}

unsigned threads_of(const Where& where) {
  return where.threads > 0 ? where.threads : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names{"cpu", "cuda", "mpi"};
  return names;
}

Device device_named(const std::string& name) {
  const auto& names = device_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw std::invalid_argument(
        fmt::format("an ensemble runs on {}; there is no {}{}", fmt::join(names, ", "), name, suggestion(name, names)));
  return static_cast<Device>(found - names.begin());
}

void need_device(Device device) {
  if (device == Device::cpu) return;
  throw std::invalid_argument(fmt::format("this hamel was not built for {}: run on cpu, with --threads",
                                          device_names()[static_cast<std::size_t>(device)]));
}

std::vector<KeptColumn> kept_columns(const Members& members, const Vary& vary, const Keep& keep) {
  const MemberMaker make(members, vary);
  return WatchPlan(members, keep, first_member(members, vary, make).start.t).columns();
}

bool ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where, const ChunkSink& sink) {
  need_device(where.on);
  const MemberMaker make(members, vary);
  const EnsembleMember first = first_member(members, vary, make);
  const WatchPlan plan(members, keep, first.start.t);
  if (where.first >= vary.members()) return true;
  const auto left = static_cast<double>(vary.members() - where.first);
  const auto runs = [&] { return MemberRuns(members.system, members.method, members.until, !keep.events.empty()); };
  try {
    runs().prepare(first, left);
    plan.prepare(left);
  } catch (const Interrupted&) {
    return false;
  }
  const std::uint64_t groups = (vary.members() + group_members - 1) / group_members;
  const auto threads =
      static_cast<unsigned>(std::min<std::uint64_t>(threads_of(where), groups - where.first / group_members));
  std::vector<Group> workers;
  for (unsigned k = 0; k < threads; ++k) workers.emplace_back(members, vary, plan, make, runs(), where.stop);
  const double bytes = sizeof(double) * static_cast<double>(group_members * (plan.width() + vary.width()));
  const auto ahead = static_cast<std::uint64_t>(std::clamp(most_waiting_bytes / bytes, 2.0 * threads, 64.0 * threads));
  try {
    return in_order<EnsembleChunk>(
        threads, where.first / group_members, groups, ahead,
        [&](unsigned thread, std::uint64_t group) {
          const std::uint64_t begin = std::max(group * group_members, where.first);
          const std::uint64_t end = std::min((group + 1) * group_members, vary.members());
          return workers[thread](begin, static_cast<std::size_t>(end - begin));
        },
        sink, [&] { return where.stop != nullptr && *where.stop; });
  } catch (const Stopped&) {
    return false;
  } catch (const Interrupted&) {
    return false;
  }
}

EnsembleTable ensemble(const Members& members, const Vary& vary, const Keep& keep, const Where& where) {
  EnsembleTable table;
  table.first = where.first;
  table.varied_columns = vary.columns();
  table.kept_columns = kept_columns(members, vary, keep);
  Eigen::Index width = 0, rows = 0;
  for (const KeptColumn& column : table.kept_columns) width += static_cast<Eigen::Index>(column.size);
  const auto count = static_cast<Eigen::Index>(vary.members() - std::min(where.first, vary.members()));
  table.varied.resize(count, static_cast<Eigen::Index>(vary.width()));
  table.kept.resize(count, width);
  ensemble(members, vary, keep, where, [&](const EnsembleChunk& chunk) {
    table.varied.middleRows(rows, chunk.varied.rows()) = chunk.varied;
    table.kept.middleRows(rows, chunk.kept.rows()) = chunk.kept;
    rows += chunk.kept.rows();
    table.failures.insert(table.failures.end(), chunk.failures.begin(), chunk.failures.end());
  });
  table.varied.conservativeResize(rows, Eigen::NoChange);
  table.kept.conservativeResize(rows, Eigen::NoChange);
  return table;
}

}  // namespace hamel
