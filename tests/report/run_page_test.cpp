// What the report of a run contains.
#include <gtest/gtest.h>

#include <filesystem>
#include <hamel/integrate/method.hpp>
#include <hamel/record/file_run.hpp>
#include <hamel/record/recorded_run.hpp>
#include <hamel/report/run_page.hpp>
#include <nlohmann/json.hpp>

#include "gallery/files.hpp"
#include "report/coordinate_charts.hpp"
#include "report/template.hpp"

namespace hamel::run_page_test {
namespace {

Page page_of_run(const ModelFile& file, double until = 0, double every = 0) {
  const auto path = std::filesystem::temp_directory_path() / ("hamel_run_page_" + std::to_string(::getpid()) + ".h5");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  RunSettings settings{.until = file.run.until};
  if (until > 0) settings.until.t = until;
  if (every > 0) settings.until.every = every;
  settings.outputs = file.outputs;
  settings.path = path.string();
  settings.overwrite = true;
  recorded_run(system, start_state(file, system, remarks),
               method_named(file.run.integrator, file.run.step, file.run.tolerance), settings, header_of(file));
  const Record record = read_record(RecordReader(path.string()), {.at_most = 20'000});
  std::filesystem::remove(path);
  return page_of(record, file);
}

Page page_of_model(const std::string& id, double until = 0) { return page_of_run(test::gallery_model(id), until); }

std::vector<std::string> titles(const std::vector<Chart>& charts) {
  std::vector<std::string> found;
  for (const Chart& chart : charts) found.push_back(chart.title);
  return found;
}

bool has_chart(const Page& page, const std::string& title) {
  const std::vector<std::string> all = titles(page.charts);
  return std::find(all.begin(), all.end(), title) != all.end();
}

constexpr const char* rotors = R"toml(name = "Rotors"
[parameters]
I = [2, 3, 4]
k = 0.5
[coordinates]
q = "S1"
x = "R1[3]"
[energy]
kinetic = "norm2(q')/2 + sum(i in 1..3, I[i]/2*x'[i]^2)"
potential = "k/2*(x[1] - x[2])^2"
[units]
t = "s"
x = "m"
k = "N/m"
energy = "J"
[start]
q = [1, 0]
omega.q = 5
x = [1, 2, 3]
[run]
integrator = "gauss8"
step = 0.01
until = 10
every = 1
)toml";

// Recorded every 5 rad: only the rate tells how many turns there were.
TEST(RunPage, AnglesAreUnwrapped) {
  const Page page = page_of_run(parse_model(rotors, "rotors.toml"));
  EXPECT_EQ(titles(page.coordinates), (std::vector<std::string>{"angle of q", "q", "x[1] to [3]"}));
  const Chart& angle = page.coordinates[0];
  EXPECT_EQ(angle.unit, "rad");
  for (std::size_t i = 0; i < page.time.size(); ++i) EXPECT_NEAR(angle.series[0].values[i], 5 * page.time[i], 1e-9);
}

TEST(RunPage, AnglesWithoutRatesTakeTheShorterWay) {
  VectorXd t(40), x(40), y(40);
  for (int i = 0; i < 40; ++i) t(i) = 0.1 * i, x(i) = std::cos(-7 * t(i)), y(i) = std::sin(-7 * t(i));
  const std::vector<double> angles = unwrapped(x, y, VectorXd(), t);
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(angles[static_cast<std::size_t>(i)], -7 * t(i), 1e-12);
}

TEST(RunPage, UnitsAreThoseOfTheModelFile) {
  const Page page = page_of_run(parse_model(rotors, "rotors.toml"));
  EXPECT_EQ(page.time_unit, "s");
  EXPECT_EQ(page.coordinates[2].unit, "m");
  EXPECT_EQ(page.charts[0].title, "Energy");
  EXPECT_EQ(page.charts[0].unit, "J");
  ASSERT_EQ(page.tables.size(), 1U);
  EXPECT_EQ(page.tables[0].rows, (std::vector<std::vector<std::string>>{{"I", "[2, 3, 4]", ""}, {"k", "0.5", "N/m"}}));
  EXPECT_EQ(page_of_model("spin-chain", 0.1).time_unit, "");  // nobody said that these are seconds
}

TEST(RunPage, NoChartIsEmpty) {
  EXPECT_FALSE(has_chart(page_of_model("kepler-restricted-two-body", 1), "Distance from the manifold"));
  EXPECT_TRUE(has_chart(page_of_model("spherical-pendulum", 1), "Distance from the manifold"));
  const Page loop = page_of_model("holonomic-multiplier-system", 1);  // R3 with a constraint
  ASSERT_TRUE(has_chart(loop, "Distance from the manifold"));
  EXPECT_EQ(loop.charts.back().series.size(), 1U);
  EXPECT_EQ(loop.charts.back().series[0].name, "constraints");
}

TEST(RunPage, ListsEnergiesAndSaysWhatIsTooLong) {
  const Page pendulum = page_of_model("spherical-pendulum", 0.1);
  ASSERT_EQ(pendulum.equations.size(), 2U);
  EXPECT_EQ(pendulum.equations[0].title, "Energies");
  EXPECT_EQ(pendulum.equations[0].latex.size(), 2U);
  EXPECT_TRUE(pendulum.equations[0].latex[0].starts_with("T = "));
  const Page chain = page_of_model("spin-chain", 0.1);
  EXPECT_TRUE(chain.equations.back().latex.empty());
  EXPECT_NE(chain.equations.back().note.find("too long for a page"), std::string::npos);
}

TEST(RunPage, CoordinatesOfManyKinds) {
  EXPECT_EQ(titles(page_of_model("free-rigid-body-se3", 0.1).coordinates),
            (std::vector<std::string>{"attitude of G e1", "attitude of G e2", "attitude of G e3", "position of G"}));
  EXPECT_EQ(page_of_model("stiefel-oscillator", 0.1).coordinates.size(), 1U);
}

// What is downloaded, mailed and kept.
TEST(RunPage, StaysSmall) {
  EXPECT_LT(page_template().size(), 1'300'000U);
  const Page demo = page_of_run(test::gallery_model("double-spherical-pendulum"), 100, 0.05);
  EXPECT_LT(to_html(demo).size(), page_template().size() + 450'000);
  Page chain = page_of_model("spin-chain", 4);
  const std::size_t whole = to_html(chain).size();
  chain.coordinates.clear();
  EXPECT_LT(whole, to_html(chain).size() + 2'200'000);
}

TEST(RunPage, LeavesCoordinatesOutWhereThereAreMany) {
  Record record;
  record.rows.time = VectorXd::LinSpaced(1000, 0, 1);
  record.rows.q = MatrixXd::Zero(1000, 180);
  const ModelFile file = test::gallery_model("spin-chain");
  for (int k = 0; k < 180; ++k) record.header.q_names.push_back("q");
  const CoordinateCharts some = coordinate_charts(file.model, record, 30'000);
  EXPECT_EQ(some.charts.size(), 10U);
  EXPECT_EQ(some.charts.front().title, "q[1]");
  EXPECT_EQ(some.charts.back().title, "q[60]");
  EXPECT_EQ(some.note, "10 of 60 can be chosen here; hamel convert --csv writes all.");
}

// T and U are not parts of it: as lines at zero they would be wrong.
TEST(RunPage, OfALagrangianShowsTheEnergyAlone) {
  const char* text = R"toml(name = "Charge"
[coordinates]
x = "R2"
[energy]
lagrangian = "norm2(x')/2 + x[1]*x'[2] - norm2(x)"
[start]
x = [1, 0]
[run]
step = 0.1
until = 1
)toml";
  for (const Chart& chart : page_of_run(parse_model(text, "charge")).charts)
    if (chart.title == "Energy") {
      ASSERT_EQ(chart.series.size(), 1U);
      EXPECT_EQ(chart.series[0].name, "total");
      EXPECT_NEAR(chart.series[0].values.front(), 1, 1e-15);
    }
}

}  // namespace
}  // namespace hamel::run_page_test
