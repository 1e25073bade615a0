// The rows of the table: what each compares, and the measurements that it waits for.
#pragma once

#include <benchmark/benchmark.h>

#include <limits>
#include <memory>
#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

#include "comparison.hpp"
#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"
#include "models.hpp"

namespace hamel::bench {

constexpr double never = std::numeric_limits<double>::infinity();

enum class Tier { native, interpreted };
std::string to_string(Tier tier);

// Kept alive for the benchmarks, which run after all have been registered.
template <class T>
std::shared_ptr<T> share(T value) {
  return std::make_shared<T>(std::move(value));
}

std::shared_ptr<const System> derive_for(const Model& model, Tier tier);

template <class Repeat>
void measure(const std::string& name, Repeat repeat) {
  benchmark::RegisterBenchmark(name.c_str(), [repeat](benchmark::State& state) { repeat(state); });
}

class Rows {
 public:
  // The rows whose names match; what the others need is not made.
  explicit Rows(const std::string& filter) : filter_(filter) {}

  bool is_wanted(const std::string& name, int size) const;
  const Comparison& add(const std::string& name, int size, double bound);
  void add(const Comparison& row) { rows_.push_back(row); }

  // Those whose sides were both measured.
  std::vector<Comparison> finish(const std::unordered_map<std::string, double>& microseconds) const;

 private:
  std::regex filter_;
  std::vector<Comparison> rows_;
};

// By kind, each in a file of its own.
void add_chain_accelerations(Rows& rows, Tier tier, int links);
void add_body_accelerations(Rows& rows, Tier tier);
void add_steps(Rows& rows, const std::string& what, Tier tier, const Chain& chain, double h, double bound);
void add_growth(Rows& rows, int from, int to, double bound);
void add_lanes(Rows& rows, int links, const Method& method, double bound);
void add_short_motions(Rows& rows, double bound);
void add_accuracy(Rows& rows);
void add_general_methods(Rows& rows);
void add_deriving(Rows& rows, int links, double limit);
void add_other_parameters(Rows& rows, double limit);

}  // namespace hamel::bench
