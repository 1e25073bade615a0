#include "hamel/ensemble/vary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "ensemble/sampling.hpp"
#include "hamel/model/name_list.hpp"

namespace hamel {

namespace {

void need_name(const std::string& name) {
  if (name.empty()) throw std::invalid_argument("what varies needs a name: that of a parameter, or start.q");
}

std::size_t width_of(const std::vector<Varied>& quantities) {
  std::size_t width = 0;
  for (const Varied& varied : quantities) width += static_cast<std::size_t>(varied.size);
  return width;
}

void need_different_names(const std::vector<Varied>& all) {
  for (auto a = all.begin(); a != all.end(); ++a)
    if (std::any_of(a + 1, all.end(), [&](const Varied& b) { return a->name == b.name; }))
      throw std::invalid_argument(fmt::format("{} varies twice; say once how", a->name));
}

double sample_of(Sampling sampling, std::uint64_t seed, std::uint64_t member, std::uint64_t dimension,
                 std::uint64_t members) {
  switch (sampling) {
    case Sampling::sobol:
      return sobol_number(seed, member, dimension);
    case Sampling::latin:
      return latin_number(seed, member, dimension, members);
    default:
      return random_number(seed, member, dimension);
  }
}

}  // namespace

const std::vector<std::string>& sampling_names() {
  static const std::vector<std::string> names{"random", "sobol", "latin"};
  return names;
}

Sampling sampling_named(const std::string& name) {
  const auto& names = sampling_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw std::invalid_argument(
        fmt::format("there is no sampling {}; there are {}{}", name, fmt::join(names, ", "), suggestion(name, names)));
  return static_cast<Sampling>(found - names.begin());
}

Vary::Vary(std::vector<Varied> quantities, std::vector<std::string> texts, std::uint64_t members, Fill fill)
    : quantities_(std::move(quantities)), texts_(std::move(texts)), members_(members), fill_(std::move(fill)) {
  for (const Varied& varied : quantities_) need_name(varied.name);
  need_different_names(quantities_);
}

Vary Vary::joined(const Vary& a, const Vary& b, std::uint64_t members, Fill fill) {
  std::vector<Varied> quantities = a.quantities_;
  quantities.insert(quantities.end(), b.quantities_.begin(), b.quantities_.end());
  std::vector<std::string> texts = a.texts_;
  texts.insert(texts.end(), b.texts_.begin(), b.texts_.end());
  return {std::move(quantities), std::move(texts), members, std::move(fill)};
}

std::size_t Vary::width() const { return width_of(quantities_); }

std::vector<std::string> Vary::columns() const {
  std::vector<std::string> names;
  for (const auto& [name, size] : quantities_) {
    if (size == 1) names.push_back(name);
    for (int k = 0; size > 1 && k < size; ++k)
      names.push_back(size <= 3 ? fmt::format("{}.{}", name, "xyz"[k]) : fmt::format("{}.{}", name, k + 1));
  }
  return names;
}

Vary grid(const std::string& name, double low, double high, std::uint64_t count) {
  if (!std::isfinite(low) || !std::isfinite(high))
    throw std::invalid_argument(fmt::format("a grid of {} goes from one finite number to another", name));
  if (count == 0) throw std::invalid_argument(fmt::format("a grid of {} has at least one value", name));
  const double last = static_cast<double>(count - 1);
  Vary result({{name}}, {fmt::format("{}:{}:{}", low, high, count)}, count,
              [=](std::uint64_t member, std::span<double> values) {
                const double k = static_cast<double>(member);
                values[0] = k == last && last > 0 ? high : number_between(low, high, last > 0 ? k / last : 0);
              });
  result.sides_ = {count};
  return result;
}

Vary listed(const std::vector<std::string>& names, const MatrixXd& rows, const std::string& text) {
  std::vector<Varied> quantities;
  for (const std::string& name : names) quantities.push_back({name});
  return listed_vectors(quantities, rows, text);
}

Vary listed_vectors(const std::vector<Varied>& quantities, const MatrixXd& rows, const std::string& text) {
  const std::size_t width = width_of(quantities);
  if (rows.rows() == 0) throw std::invalid_argument("a list without rows has no members; give a row for each");
  if (width == 0 || rows.cols() != static_cast<Eigen::Index>(width))
    throw std::invalid_argument(
        fmt::format("a list of {} numbers needs rows of as many, got {} rows of {}", width, rows.rows(), rows.cols()));
  if (!rows.allFinite()) throw std::invalid_argument("a list has a number that is not finite");
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto all = std::make_shared<const Rows>(rows);  // shared by copies
  return {quantities, std::vector<std::string>(quantities.size(), text), static_cast<std::uint64_t>(rows.rows()),
          [all, width](std::uint64_t member, std::span<double> values) {
            std::copy_n(all->row(static_cast<Eigen::Index>(member)).data(), width, values.begin());
          }};
}

Vary samples(const std::vector<std::pair<std::string, Distribution>>& quantities, std::uint64_t count,
             SampleOptions options) {
  if (count == 0) throw std::invalid_argument("samples have at least one member");
  std::vector<Varied> varied;
  std::vector<std::string> texts;
  std::uint64_t dimensions = 0;
  for (const auto& [name, distribution] : quantities) {
    varied.push_back({name, distribution.size});
    texts.push_back(distribution.text);
    dimensions += static_cast<std::uint64_t>(distribution.uniforms);
  }
  if (options.sampling == Sampling::sobol && dimensions > most_sobol_dimensions)
    throw std::invalid_argument(fmt::format(
        "sequences of Sobol have at most {} dimensions here, and these samples have {}: take latin or random",
        most_sobol_dimensions, dimensions));
  std::vector<Distribution> distributions;
  for (const auto& [name, distribution] : quantities) distributions.push_back(distribution);
  return {std::move(varied), std::move(texts), count, [=](std::uint64_t member, std::span<double> values) {
            constexpr std::size_t most = 3;
            std::uint64_t dimension = 0;
            std::size_t place = 0;
            for (const Distribution& distribution : distributions) {
              std::array<double, most> u{};
              const auto needed = static_cast<std::size_t>(distribution.uniforms);
              for (std::size_t k = 0; k < needed; ++k)
                u[k] = sample_of(options.sampling, options.seed, member, dimension++, count);
              const auto size = static_cast<std::size_t>(distribution.size);
              distribution.map(std::span(u).first(needed), values.subspan(place, size));
              place += size;
            }
          }};
}

Vary operator*(const Vary& slow, const Vary& fast) {
  const std::uint64_t most = ~std::uint64_t{0} / std::max<std::uint64_t>(fast.members(), 1);
  if (slow.members() > most)
    throw std::invalid_argument(
        fmt::format("{} times {} members are more than can be counted: take a coarser grid, or samples", slow.members(),
                    fast.members()));
  const std::size_t width = slow.width();
  Vary result = Vary::joined(slow, fast, slow.members() * fast.members(),
                             [slow, fast, width](std::uint64_t member, std::span<double> values) {
                               slow.row(member / fast.members(), values.first(width));
                               fast.row(member % fast.members(), values.subspan(width));
                             });
  if (slow.quantities_.empty()) result.sides_ = fast.sides_;
  if (fast.quantities_.empty()) result.sides_ = slow.sides_;
  if (!slow.sides_.empty() && !fast.sides_.empty()) {
    result.sides_ = slow.sides_;
    result.sides_.insert(result.sides_.end(), fast.sides_.begin(), fast.sides_.end());
  }
  return result;
}

Vary zip(const Vary& a, const Vary& b) {
  if (a.members() != b.members())
    throw std::invalid_argument(
        fmt::format("what varies side by side needs as many members: {} has {}, {} has {}",
                    a.quantities().empty() ? "nothing" : a.quantities().front().name, a.members(),
                    b.quantities().empty() ? "nothing" : b.quantities().front().name, b.members()));
  const std::size_t width = a.width();
  return Vary::joined(a, b, a.members(), [a, b, width](std::uint64_t member, std::span<double> values) {
    a.row(member, values.first(width));
    b.row(member, values.subspan(width));
  });
}

}  // namespace hamel
