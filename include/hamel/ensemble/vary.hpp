// What varies among the members of an ensemble: a table of numbers with a row for each member, made when asked for.
//
//   grid("m[1]", 0.5, 2, 100) * grid("start.phi", -1, 1, 50)        5,000 members; the last varies fastest
//   zip(grid("a", 0, 1, 10), grid("b", 1, 0, 10))                   10 members
//   listed({"m", "l"}, rows)                                        those of a table
//   listed_vectors({{"start.q", 3}, {"m", 1}}, rows)                with vectors among them, matrices column by column
//   samples({{"l", normal(1, 0.01)}, {"m", uniform(1, 2)}}, 1000, {.sampling = Sampling::sobol, .seed = 1})
//
// A name is that of a parameter ("m", "m[1]"), or "start." and what of the start varies (starts.hpp). The row of a
// member depends on the member alone, not on those before it: any of them can be computed again anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hamel/ensemble/distribution.hpp"

namespace hamel {

// What has one value in each member: a number, or the entries of a vector or a matrix.
struct Varied {
  std::string name;
  int size = 1;
};

enum class Sampling : std::uint8_t { random, sobol, latin };
Sampling sampling_named(const std::string& name);  // random, sobol, latin; refuses others
const std::vector<std::string>& sampling_names();

class Vary {
 public:
  Vary() = default;  // one member, of which nothing varies

  const std::vector<Varied>& quantities() const { return quantities_; }
  std::vector<std::string> columns() const;  // of a row: "m", "start.q.x", "start.q.y", ...
  std::size_t width() const;                 // of a row
  std::uint64_t members() const { return members_; }
  void row(std::uint64_t member, std::span<double> values) const { fill_(member, values); }

  // In words, for those who look at results: "grid 0.5:2:100", "normal(1, 0.01)".
  const std::vector<std::string>& texts() const { return texts_; }  // one for each quantity
  // The sides of a grid, the slowest first; empty where not all of it is one.
  const std::vector<std::uint64_t>& sides() const { return sides_; }

  friend Vary grid(const std::string& name, double low, double high, std::uint64_t count);
  friend Vary listed_vectors(const std::vector<Varied>& quantities, const MatrixXd& rows, const std::string& text);
  friend Vary samples(const std::vector<std::pair<std::string, Distribution>>& quantities, std::uint64_t count,
                      struct SampleOptions options);
  friend Vary operator*(const Vary& slow, const Vary& fast);
  friend Vary zip(const Vary& a, const Vary& b);

 private:
  using Fill = std::function<void(std::uint64_t member, std::span<double> values)>;
  Vary(std::vector<Varied> quantities, std::vector<std::string> texts, std::uint64_t members, Fill fill);
  static Vary joined(const Vary& a, const Vary& b, std::uint64_t members, Fill fill);

  std::vector<Varied> quantities_;
  std::vector<std::string> texts_;
  std::vector<std::uint64_t> sides_;
  std::uint64_t members_ = 1;
  Fill fill_ = [](std::uint64_t, std::span<double>) {};
};

struct SampleOptions {
  Sampling sampling = Sampling::random;
  std::uint64_t seed = 1;
};

// Both ends included; of one member, the low one.
Vary grid(const std::string& name, double low, double high, std::uint64_t count);
Vary listed(const std::vector<std::string>& names, const MatrixXd& rows, const std::string& text = "list");
Vary listed_vectors(const std::vector<Varied>& quantities, const MatrixXd& rows, const std::string& text = "list");
Vary samples(const std::vector<std::pair<std::string, Distribution>>& quantities, std::uint64_t count,
             SampleOptions options = {});
Vary operator*(const Vary& slow, const Vary& fast);  // each with each
Vary zip(const Vary& a, const Vary& b);              // side by side; both have as many members

}  // namespace hamel
