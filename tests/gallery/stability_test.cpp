// Spectra, blocks, signatures and verdicts against those of tests/analyze/oracles.txt, which others computed.
#include "hamel/analyze/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "gallery/files.hpp"

namespace hamel::test::stability_test {
namespace {

using Complex = std::complex<double>;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

VectorXd numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> values;
  for (double value = 0; in >> value;) values.push_back(value);
  return Eigen::Map<VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::optional<Signature> signature_of(const std::string& text) {
  if (text == "-") return std::nullopt;
  const VectorXd n = numbers(text);
  return Signature{static_cast<int>(n(0)), static_cast<int>(n(1)), static_cast<int>(n(2))};
}

struct Oracle {
  int line;
  std::string model, name, moving, verdict, blocks;
  VectorXd point, eigenvalues;
  std::optional<Signature> stiffness, on_level;
  int family;
};

std::map<std::string, std::vector<Oracle>> oracles() {
  std::map<std::string, std::vector<Oracle>> result;
  std::ifstream file(HAMEL_SOURCE_DIR "/tests/analyze/oracles.txt");
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.starts_with('#')) continue;
    const std::vector<std::string> f = split(line, '|');
    result[f.at(0)].push_back({number, f[0], f[1], f[3], f.at(9), f[5], numbers(f[2]), numbers(f[4]),
                               signature_of(f[6]), signature_of(f[7]), std::stoi(f[8])});
  }
  return result;
}

std::vector<std::string> oracle_models() {
  std::vector<std::string> ids;
  for (const auto& [id, entries] : oracles()) ids.push_back(id);
  return ids;
}

Generator moving_of(const Oracle& oracle, const NoetherReport& noether) {
  Generator result;
  if (oracle.moving == "rest") return result;
  const auto ambient = oracle.point.size();
  for (const std::string& part : split(oracle.moving, ';')) {
    const auto equals = part.rfind('=');
    const std::string name = trimmed(part.substr(0, equals));
    if (name == "translation") return {MatrixXd::Zero(ambient, ambient), numbers(part.substr(equals + 1))};
    bool found = false;
    for (const ConservedMomentum& momentum : noether.momenta) {
      if (momentum.generator != name) continue;
      result = result + generator(momentum, static_cast<int>(ambient), std::stod(part.substr(equals + 1)));
      found = true;
    }
    EXPECT_TRUE(found) << name;
  }
  return result;
}

// Each eigenvalue of the one list beside the nearest of the other that is left.
void expect_same_spectrum(const Spectrum& found, const VectorXd& expected, const std::string& what) {
  std::vector<Complex> left = found.all();
  ASSERT_EQ(left.size(), static_cast<std::size_t>(expected.size() / 2)) << what;
  for (Eigen::Index i = 0; i < expected.size(); i += 2) {
    const Complex value(expected(i), expected(i + 1));
    const auto nearest = std::min_element(
        left.begin(), left.end(), [&](Complex a, Complex b) { return std::abs(a - value) < std::abs(b - value); });
    EXPECT_LE(std::abs(*nearest - value), 1e-9 * found.rate) << what << ": " << value << " for " << *nearest;
    left.erase(nearest);
  }
}

void expect_blocks(const Spectrum& found, const std::string& blocks, const std::string& what) {
  if (blocks == "-") return;
  for (const std::string& text : split(blocks, ';')) {
    const VectorXd b = numbers(text);
    const Complex value(b(0), b(1));
    const auto nearest =
        std::min_element(found.values.begin(), found.values.end(), [&](const Eigenvalue& x, const Eigenvalue& y) {
          return std::abs(x.value - value) < std::abs(y.value - value);
        });
    EXPECT_EQ(nearest->algebraic, b(2)) << what << text;
    EXPECT_EQ(nearest->geometric, b(3)) << what << text;
    EXPECT_EQ(nearest->largest_block, b(4)) << what << text;
  }
}

// In the words of the oracles.
std::string words(Verdict verdict, const std::string& expected) {
  switch (verdict) {
    case Verdict::stable:
      return expected.starts_with("stable (strict") ? expected : "stable";
    case Verdict::asymptotically_stable_modulo_family:
      return "asymptotically stable modulo symmetry";
    default:
      return name(verdict);
  }
}

class Stabilities : public testing::TestWithParam<std::string> {};

TEST_P(Stabilities, AreThoseOfTheOracle) {
  const ModelFile file = gallery_model(GetParam());
  const System system = derive(file.model);
  const Linearization linearization(system);
  const NoetherReport noether = system.has_energies() ? conserved_momenta(file.model) : NoetherReport{};
  const std::vector<Oracle> all = oracles().at(GetParam());
  for (const Oracle& oracle : all) {
    const std::string what = "oracles.txt:" + std::to_string(oracle.line) + ": " + oracle.name;
    const Generator moving = moving_of(oracle, noether);
    const LinearModel linear = linearization.near(0, oracle.point, VectorXd(), moving);
    EXPECT_LE(linear.imbalance, 1e-11) << what;
    const Stability found = stability(linearization, linear, noether.momenta);
    expect_same_spectrum(found.spectrum, oracle.eigenvalues, what);
    expect_blocks(found.spectrum, oracle.blocks, what);
    EXPECT_EQ(words(found.verdict, oracle.verdict), oracle.verdict) << what << "\n" << found.reason;
    EXPECT_EQ(found.family, oracle.family) << what;
    if (oracle.stiffness) {
      ASSERT_TRUE(found.stiffness) << what;
      EXPECT_EQ(*found.stiffness, *oracle.stiffness) << what;
    }
    if (oracle.on_level && found.on_level && found.reason.find("in a frame") == std::string::npos) {
      EXPECT_EQ(*found.on_level, *oracle.on_level) << what << " " << found.reason;
    }
    EXPECT_LE(found.spectrum.pairing_error, 1e-9) << what;  // 0 of systems with forces
  }
}

// Gains of 3000 beside a spring of 1: its slow poles are no zeros.
TEST(StabilityOf, ARegulatorWithLargeGains) {
  const ModelFile file = gallery_model("chain-pendulum-on-cart-controlled");
  const System system = derive(file.model);
  const Linearization linearization(system);
  std::vector<std::string> remarks;
  const State goal = examine_equilibria(file, system, remarks).at(0).state;
  const Stability found = stability(linearization, linearization.at(goal), {});
  EXPECT_EQ(found.spectrum.zero().algebraic, 0);
  EXPECT_EQ(found.verdict, Verdict::asymptotically_stable) << found.reason;
  EXPECT_NEAR(found.spectrum.rightmost().value.real(), -0.7713654, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Gallery, Stabilities, testing::ValuesIn(oracle_models()),
                         [](const auto& chosen) { return test_name(chosen.param); });

}  // namespace
}  // namespace hamel::test::stability_test
