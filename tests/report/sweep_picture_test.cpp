// Drawings of sweeps: axes that say what is drawn, whatever the numbers are, and members that failed.
#include "hamel/report/sweep_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "report/sweep_panel.hpp"

namespace hamel {
namespace {

constexpr const char* model_with_units = R"toml(
[parameters]
m = 1
l = 1
[coordinates]
x = "R2"
[energy]
kinetic = "m*norm2(x')/2"
[outputs]
height = "l*x.y"
[units]
m = "kg"
height = "cm"
t = "s"
[start]
x = [0, 0]
)toml";

SweepHeader header_of_grid(std::vector<std::uint64_t> sides) {
  SweepHeader header{.model_text = model_with_units, .model_name = "model"};
  header.varied = sides.size() == 1 ? std::vector<std::string>{"m"} : std::vector<std::string>{"m", "l"};
  header.quantities = header.varied;
  header.vary_texts.assign(header.varied.size(), "grid");
  header.kept = {{"t"}, {"height max"}};
  header.members = 1;
  for (const std::uint64_t side : sides) header.members *= side;
  header.sides = std::move(sides);
  return header;
}

// Of these members what varies, and what was kept.
SweepTable table_of(const SweepHeader& header, const MatrixXd& varied, const VectorXd& kept,
                    std::vector<MemberFailure> failures = {}) {
  SweepTable table(header);
  EnsembleChunk chunk{0, varied, MemberRows::Zero(varied.rows(), 2), std::move(failures)};
  chunk.kept.col(1) = kept;
  table.add(chunk);
  table.finish(1, static_cast<std::uint64_t>(varied.rows()) == header.members);
  return table;
}

MatrixXd grid_of(const std::vector<double>& across, const std::vector<double>& up) {
  MatrixXd all(static_cast<Eigen::Index>(across.size() * up.size()), 2);
  for (Eigen::Index k = 0; k < all.rows(); ++k)
    all.row(k) << across[static_cast<std::size_t>(k) / up.size()], up[static_cast<std::size_t>(k) % up.size()];
  return all;
}

bool says(const std::string& picture, const std::string& words) {
  return picture.find(">" + words + "</text>") != std::string::npos;
}

TEST(SweepPicture, HasFewTicksWhateverTheNumbersAre) {
  const double next = std::nextafter(1.0, 2.0);
  for (const AxisRange& span : {AxisRange{1, next}, AxisRange{3, 3.000000000000001}, AxisRange{1e300, 1e300 + 1e285},
                                AxisRange{2, -3}, AxisRange{1001, 1001.002}, AxisRange{-1e-300, 1e-300}}) {
    const std::vector<Tick> all = ticks(span, 6);
    EXPECT_LE(all.size(), 13U);
    std::set<std::string> texts;
    for (const Tick& tick : all) texts.insert(tick.text);
    EXPECT_EQ(texts.size(), all.size()) << span.low;
  }
  EXPECT_GE(ticks({2, -3}, 6).size(), 4U);
  EXPECT_GE(ticks({1001, 1001.002}, 6).size(), 4U);
}

TEST(SweepPicture, DrawsMapsOfNumbersThatAreNearlyTheSame) {
  const SweepHeader header = header_of_grid({2, 2});
  const SweepTable table =
      table_of(header, grid_of({1, std::nextafter(1.0, 2.0)}, {1, 2}), VectorXd::LinSpaced(4, 0, 1));
  ASSERT_EQ(draw(table).size(), 1U);
  EXPECT_LT(draw(table).front().svg.size(), 20'000U);
}

TEST(SweepPicture, HasTheAxesOfWhatIsDrawn) {
  const SweepHeader header = header_of_grid({10, 2});
  std::vector<double> across;
  for (int k = 0; k < 10; ++k) across.push_back(k);
  const MatrixXd whole = grid_of(across, {5, -5});
  const std::string done = draw(table_of(header, whole, VectorXd::LinSpaced(20, 0, 1))).front().svg;
  EXPECT_TRUE(says(done, "8"));
  EXPECT_TRUE(says(done, "-5")) << "a reversed axis has ticks";
  const std::string begun = draw(table_of(header, whole.topRows(5), VectorXd::LinSpaced(5, 0, 1))).front().svg;
  EXPECT_FALSE(says(begun, "8"));
  EXPECT_TRUE(says(begun, "2"));
}

TEST(SweepPicture, SaysThatColoursAreLogarithmic) {
  const SweepHeader header = header_of_grid({2, 2});
  for (const double high : {31.1, 97.0, 1e7, 1e300}) {
    const VectorXd kept = Eigen::Vector4d(1.01, 2.5, 3, high);
    const std::string map = draw(table_of(header, grid_of({0, 1}, {0, 1}), kept)).front().svg;
    EXPECT_TRUE(says(map, "logarithmic"));
    EXPECT_GE(logarithmic_ticks({std::log10(1.01), std::log10(high)}, 6).size(), 2U);
    EXPECT_LE(logarithmic_ticks({std::log10(1.01), std::log10(high)}, 6).size(), 9U);
  }
}

TEST(SweepPicture, ShowsMembersThatFailedAndUnits) {
  const std::string line = draw(table_of(header_of_grid({5}), VectorXd::LinSpaced(5, 0, 4),
                                         VectorXd::LinSpaced(5, 1, 2), {{0, "it broke"}, {1, "it broke"}}))
                               .front()
                               .svg;
  EXPECT_TRUE(says(line, "2 of 5 members failed"));
  EXPECT_TRUE(says(line, "m (kg)"));
  EXPECT_TRUE(says(line, "height max (cm)"));
  EXPECT_TRUE(says(line, "0")) << "the axis begins at the first member, which failed";
  const std::string map =
      draw(table_of(header_of_grid({2, 2}), grid_of({0, 1}, {0, 1}), VectorXd::LinSpaced(4, 1, 2), {{0, "it broke"}}))
          .front()
          .svg;
  EXPECT_TRUE(says(map, "1 of 4 members failed"));
  SweepHeader samples = header_of_grid({5});
  samples.sides.clear();
  const auto pictures =
      draw(table_of(samples, VectorXd::LinSpaced(5, 0, 4), VectorXd::LinSpaced(5, 1, 2), {{4, "it broke"}}));
  ASSERT_EQ(pictures.size(), 2U);
  EXPECT_TRUE(says(pictures[0].svg, "1 of 5 members failed"));
  EXPECT_TRUE(says(pictures[1].svg, "1 of 5 members failed"));
  EXPECT_NE(pictures[1].svg.find("rotate(-90)"), std::string::npos) << "rows have names";
}

TEST(SweepPicture, SaysHowManyFailuresItShows) {
  const SweepHeader header = header_of_grid({100});
  std::vector<MemberFailure> failures;
  for (std::uint64_t k = 0; k < 60; ++k) failures.push_back({k, "it broke"});
  const SweepTable table = table_of(header, VectorXd::LinSpaced(100, 0, 4), VectorXd::LinSpaced(100, 1, 2), failures);
  EXPECT_NE(sweep_html(table).find("60 of 100, the first 50 of them:"), std::string::npos);
}

}  // namespace
}  // namespace hamel
