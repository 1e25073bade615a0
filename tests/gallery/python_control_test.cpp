// Regulators, filters, poles and ranks beside those of python-control, python_control/record.py.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <hamel/analyze/control.hpp>
#include <hamel/analyze/spectrum.hpp>
#include <sstream>

#include "gallery/files.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/riccati.hpp"

namespace hamel::test::python_control_test {
namespace {

struct Answers {
  std::string model, at;
  MatrixXd A, B, lqr, dlqr, lqe;
  std::vector<Complex> poles;
  std::vector<int> ranks;
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(" | ", begin), line.size());
    result.push_back(line.substr(begin, end - begin));
    begin = end + 3;
  }
  return result;
}

VectorXd numbers(const std::string& text) {
  std::vector<double> all;
  std::istringstream in(text);
  for (double number = 0; in >> number;) all.push_back(number);
  return Eigen::Map<VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

std::vector<Answers> recorded() {
  std::ifstream in(gallery_folder() + "/../tests/gallery/python_control/answers.txt");
  std::vector<Answers> result;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> f = fields(line);
    Answers one{f.at(0), f.at(1), {}, {}, {}, {}, {}, {}, {}};
    const VectorXd A = numbers(f.at(2)), B = numbers(f.at(3)), lqe = numbers(f.at(6)), poles = numbers(f.at(7));
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(A.size()))));
    one.A = A.reshaped(n, n);
    one.B = B.reshaped(n, B.size() / n);
    if (const VectorXd K = numbers(f.at(4)); K.size() > 0) one.lqr = K.reshaped(K.size() / n, n);
    if (const VectorXd K = numbers(f.at(5)); K.size() > 0) one.dlqr = K.reshaped(K.size() / n, n);
    if (lqe.size() > 0) one.lqe = lqe.reshaped(n, lqe.size() / n);
    for (Eigen::Index k = 0; k < poles.size(); k += 2) one.poles.emplace_back(poles(k), poles(k + 1));
    for (const double rank : numbers(f.at(8))) one.ranks.push_back(static_cast<int>(rank));
    result.push_back(one);
  }
  return result;
}

LinearModel linear_of(const Answers& one) {
  const std::string own = gallery_folder() + "/../tests/gallery/python_control/" + one.model + ".toml";
  const ModelFile file = std::filesystem::exists(own) ? read_model(own) : gallery_model(one.model);
  const System system = derive(file.model.open());
  std::vector<std::string> remarks;
  for (const EquilibriumFinding& claim : examine_equilibria(file, system, remarks))
    if (claim.name == one.at) return trimmed(Linearization(system), claim.state);
  throw std::runtime_error("no equilibrium " + one.at);
}

void expect_close(const MatrixXd& ours, const MatrixXd& theirs, const std::string& what) {
  ASSERT_EQ(ours.rows(), theirs.rows()) << what;
  ASSERT_EQ(ours.cols(), theirs.cols()) << what;
  EXPECT_LE((ours - theirs).norm(), 1e-9 * theirs.norm()) << what;
}

TEST(PythonControl, Agrees) {
  const std::vector<Answers> all = recorded();
  ASSERT_EQ(all.size(), 5u);
  for (const Answers& one : all) {
    const LinearModel linear = linear_of(one);
    const auto [A, B] = linear.first_order();
    const Eigen::Index n = A.rows(), half = n / 2;
    expect_close(A, one.A, one.model + " A");
    expect_close(B, one.B, one.model + " B");
    // Multiple poles, and blocks, are known to theirs as well as to ours by their means.
    std::vector<Complex> poles = spectrum(linear).all();
    ASSERT_EQ(poles.size(), one.poles.size());
    for (const Complex pole : one.poles) {
      const auto distance = [&](Complex a, Complex b) { return std::abs(a - pole) < std::abs(b - pole); };
      const auto nearest = std::min_element(poles.begin(), poles.end(), distance);
      const double exact = std::abs(pole) > 1e-3 ? 1e-9 : 1e-3;  // zeros come in blocks of up to four
      EXPECT_LE(std::abs(*nearest - pole), exact * A.norm()) << one.model << " pole " << pole;
      poles.erase(nearest);
    }
    const MatrixXd C = MatrixXd::Identity(half, n);
    const Reach reach = controllability(linear);
    if (!one.ranks.empty()) {
      EXPECT_EQ(reach.reached, one.ranks[0]) << one.model;
      EXPECT_EQ(n, one.ranks[1]) << one.model;
      EXPECT_TRUE(linear::unobservable_modes(A, C).empty()) << one.model;
    }
    EXPECT_EQ(reach.complete(), one.lqr.size() > 0) << one.model;
    if (one.lqr.size() == 0) continue;
    expect_close(lqr(linear).gain, one.lqr, one.model + " lqr");
    MatrixXd both = MatrixXd::Zero(n + B.cols(), n + B.cols());
    both.topRows(n) << A, B;
    const MatrixXd step = linear::exponential(0.01 * both);
    expect_close(linear::solve_discrete_riccati(step.topLeftCorner(n, n), step.topRightCorner(n, B.cols()),
                                                MatrixXd::Identity(n, n), MatrixXd::Identity(B.cols(), B.cols()))
                     .gain,
                 one.dlqr, one.model + " dlqr");
    MatrixXd noise = MatrixXd::Zero(n, n);
    noise.bottomRightCorner(half, half).setIdentity();
    expect_close(
        linear::solve_riccati(A.transpose(), C.transpose(), noise, MatrixXd::Identity(half, half)).gain.transpose(),
        one.lqe, one.model + " lqe");
  }
}

}  // namespace
}  // namespace hamel::test::python_control_test
