// What is kept of a member, gathered while it runs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hamel/ensemble/ensemble.hpp"
#include "hamel/mechanics/values.hpp"

namespace hamel {

// Is something kept of outputs before the end, or is it not known which one is the last?
bool looks_on_the_way(const Keep& keep);

// What is watched, decided once for all members.
class WatchPlan {
 public:
  WatchPlan(const Members& members, const Keep& keep, double start);

  const std::vector<KeptColumn>& columns() const { return columns_; }
  std::size_t width() const { return width_; }      // of a row
  double outputs() const { return outputs_; }       // of a run, roughly where the method chooses its steps
  void need_outputs_of_series(double start) const;  // refuses a member that begins there and has more or fewer
  void prepare(double members) const;               // native code for the formulas
  const Values& events() const { return events_; }

  struct Watched {  // a component of a formula, or another number of a state
    std::size_t number, column;
    Statistic statistic;
  };
  const std::vector<Watched>& watched() const { return watched_; }
  std::size_t numbers() const { return numbers_; }  // of a state that are watched
  // What was gathered elsewhere from the start to the end, one number for each that is watched.
  void put_gathered(std::span<double> row, double start, const State& end, In gathered) const;

 private:
  friend class Watch;
  void add(const std::string& name, Statistic statistic, std::size_t number);
  void place_columns();
  void put_state(std::span<double> row, const State& state) const;

  Keep keep_;
  Values formulas_, events_;
  std::vector<KeptColumn> columns_;
  std::vector<std::size_t> places_;  // of the columns in a row
  std::vector<Watched> watched_;
  std::size_t first_state_ = 1, first_event_ = 1;  // columns
  std::size_t energy_ = 0, first_momentum_ = 0, numbers_ = 0;
  std::size_t series_size_ = 0, width_ = 0;
  double outputs_ = 0, until_ = 0, interval_ = 0;  // interval: between outputs, 0 where nobody can know it before
  bool looks_on_the_way_ = true;
};

// Of one member at a time.
class Watch {
 public:
  Watch(const WatchPlan& plan, const System& system);

  std::vector<Event> events(const System& member) const;
  void begin(const System& member, std::span<double> row);
  void output(const State& state, In inputs);
  void end(const std::vector<Occurrence>& occurrences);
  const VectorXd& numbers() const { return numbers_; }  // at the last output

 private:
  void measure(const State& state, In inputs);
  void need_finite(double t) const;
  double& at(std::size_t column, std::size_t k = 0) { return row_[plan_.places_[column] + k]; }

  const WatchPlan& plan_;
  Values formulas_;
  const System* member_ = nullptr;
  std::unique_ptr<Workspace> work_;
  std::span<double> row_;
  VectorXd numbers_, first_, last_;
  std::size_t outputs_ = 0;
  double start_ = 0, t_ = 0;
};

}  // namespace hamel
