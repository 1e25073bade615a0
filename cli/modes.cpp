#include "modes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hamel/report/words.hpp"

namespace hamel::cli {

Json eigenvalues_json(const Spectrum& spectrum) {
  Json result = Json::array();
  for (const Eigenvalue& one : spectrum.values)
    result.push_back({{"re", one.value.real()},
                      {"im", one.value.imag()},
                      {"algebraic", one.algebraic},
                      {"geometric", one.geometric},
                      {"largest_block", one.largest_block}});
  return result;
}

Json stability_json(const Stability& found) {
  const auto signature = [](const std::optional<Signature>& s) {
    return s ? Json{s->positive, s->zero, s->negative} : Json();
  };
  return {{"verdict", name(found.verdict)},
          {"reason", found.reason},
          {"eigenvalues", eigenvalues_json(found.spectrum)},
          {"pairing_error", found.spectrum.pairing_error},
          {"stiffness", signature(found.stiffness)},
          {"on_momentum_level", signature(found.on_level)},
          {"family", found.family},
          {"orbit", found.orbit},
          {"zero_modes", found.zero_modes}};
}

Json rows_json(const MatrixXd& matrix) {
  Json result = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    result.push_back(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  return result;
}

namespace {

constexpr int digits = 4;

// One of a pair, or of four; with the sign in front that stands for all.
std::string mode_text(const Eigenvalue& one, double small, bool has_opposite) {
  const double re = std::abs(one.value.real()) <= small ? 0 : one.value.real();
  const double im = std::abs(one.value.imag()) <= small ? 0 : std::abs(one.value.imag());
  std::string text;
  if (re == 0 && im == 0)
    text = "0";
  else if (re == 0)
    text = "+-" + brief(im, digits) + "i";
  else if (im == 0)
    text = (has_opposite ? "+-" : "") + brief(has_opposite ? std::abs(re) : re, digits);
  else
    text = fmt::format("{}{}+-{}i", has_opposite ? "+-" : "", brief(has_opposite ? std::abs(re) : re, digits),
                       brief(im, digits));
  return one.algebraic > 1 ? fmt::format("{} (x{})", text, one.algebraic) : text;
}

}  // namespace

std::string short_spectrum(const Spectrum& spectrum, std::size_t width) {
  const double small = 1e-9 * spectrum.rate;
  std::string text;
  for (auto one = spectrum.values.rbegin(); one != spectrum.values.rend(); ++one) {
    if (one->value.imag() < -small) continue;  // its conjugate is said
    const auto opposite = [&](const Eigenvalue& other) {
      return std::abs(other.value + one->value) <= 1e-7 * spectrum.rate && other.algebraic == one->algebraic;
    };
    const bool paired = one->value != 0.0 && std::any_of(spectrum.values.begin(), spectrum.values.end(), opposite) &&
                        std::abs(one->value.real()) > small;
    if (paired && one->value.real() < 0) continue;
    const std::string next = (text.empty() ? "" : ", ") + mode_text(*one, small, paired);
    if (text.size() + next.size() + 5 > width) return text + (text.empty() ? "..." : ", ...");
    text += next;
  }
  return text;
}

std::string short_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::asymptotically_stable:
      return "asymptotically stable";
    case Verdict::asymptotically_stable_modulo_family:
      return "asympt. stable family";
    case Verdict::stable_modulo_symmetry:
      return "stable mod. symmetry";
    default:
      return name(verdict);
  }
}

}  // namespace hamel::cli
