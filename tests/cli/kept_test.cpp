// What runs say about what they kept: the table, the JSON and the report of the same run, finished or not.
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

using KeptCommand = Command;

// What the page of a report was written from.
Json data_of(const std::string& html) {
  const std::string begin = "id=\"hamel-data\">";
  const std::size_t first = html.find(begin) + begin.size();
  return Json::parse(html.substr(first, html.find("</script>", first) - first));
}

std::string kept_of(const Json& list, const std::string& name) {
  for (const Json& item : list)
    if (item["name"] == name) return item["kept"];
  return "not there";
}

TEST_F(KeptCommand, TableJsonAndReportSayTheSame) {
  const std::string run = "run double-spherical-pendulum --integrator rk4 --step 0.5 --until 100 ";
  const Json json = hamel(run + "--json --report run.html").json();
  EXPECT_EQ(json["energy"]["kept"], "lost");
  const Json momentum = json["momenta"][0];
  EXPECT_GT(momentum["max_error"].get<double>(), 0.1 * std::abs(momentum["initial"].get<double>()));
  EXPECT_EQ(momentum["kept"], "lost");
  const Json page = data_of(slurp(path("run.html")));
  EXPECT_EQ(kept_of(page["conserved"], momentum["name"]), "lost");
  EXPECT_EQ(kept_of(page["conserved"], "energy"), "lost");
  EXPECT_EQ(page["warning"], "");
  const std::string table = hamel(run).out;
  EXPECT_NE(table.find("lost"), std::string::npos);
  EXPECT_EQ(table.find("bounded"), std::string::npos);
}

TEST_F(KeptCommand, ConstraintsAreInTheReport) {
  ASSERT_EQ(hamel("run planar-slider-crank --until 1 --report run.html").code, 0);
  EXPECT_EQ(kept_of(data_of(slurp(path("run.html")))["conserved"], "constraints"), "to rounding");
}

TEST_F(KeptCommand, RotatingFramesHaveAJacobiIntegral) {
  const Json run = hamel("run particle-rotating-hoop --until 5 --json --report run.html").json();
  EXPECT_EQ(run["energy"]["name"], "Jacobi integral");
  EXPECT_EQ(run["energy"]["kept"], "bounded");
  EXPECT_EQ(kept_of(data_of(slurp(path("run.html")))["conserved"], "Jacobi integral"), "bounded");
  EXPECT_NE(hamel("run particle-rotating-hoop --until 5").out.find("Jacobi integral"), std::string::npos);
  EXPECT_NE(hamel("check particle-rotating-hoop").out.find("Jacobi integral"), std::string::npos);
  EXPECT_EQ(hamel("run spherical-pendulum --until 1 --json").json()["energy"]["name"], "energy");
}

TEST_F(KeptCommand, ClaimsAreFollowed) {
  const Json run =
      hamel(
          "run particle-rotating-frame --until 5 --integrator gauss8 --step 0.05 --json --out run.h5 --report run.html")
          .json();
  EXPECT_EQ(kept_of(run["conserved"], "inertial_energy"), "to rounding");
  EXPECT_EQ(kept_of(run["conserved"], "angular_momentum[3]"), "to rounding");
  EXPECT_EQ(run["conserved"].size(), 4U);
  const Json page = data_of(slurp(path("run.html")));
  EXPECT_EQ(kept_of(page["conserved"], "angular_momentum[1]"), "to rounding");
  bool has_chart = false;
  for (const Json& chart : page["charts"]) has_chart = has_chart || chart["title"] == "Errors of the claims";
  EXPECT_TRUE(has_chart);
  EXPECT_EQ(hamel("report run.h5 --json").json()["conserved"], run["conserved"]);
}

// What is claimed and not so is told from the run.
TEST_F(KeptCommand, AFalseClaimIsLost) {
  write("false.toml",
        "[coordinates]\nx = \"R3\"\n[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"norm2(x)/2\"\n"
        "[conserved]\nplace = \"x\"\nright = \"x.x*x'.y - x.y*x'.x\"\n"
        "[start]\nx = [1, 0, 0]\n\"x'\" = [0, 1, 0]\n[run]\nstep = 0.01\nuntil = 10\n");
  const Json run = hamel("run false.toml --json").json();
  EXPECT_EQ(kept_of(run["conserved"], "place[1]"), "lost");
  EXPECT_EQ(kept_of(run["conserved"], "right"), "to rounding");
}

TEST_F(KeptCommand, AFailedRunHasItsReport) {
  write("fall.toml",
        "[coordinates]\nx = \"R3\"\n[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"x.z - sqrt(x.z)\"\n"
        "[start]\nx = [0, 0, 1]\n\"x'\" = [1, 0, 0]\n[run]\nintegrator = \"rk4\"\nstep = 0.01\nuntil = 20\n");
  const Result failed = hamel("run fall.toml --report run.html");
  EXPECT_EQ(failed.code, 1);
  EXPECT_NE(failed.out.find("ended early"), std::string::npos) << failed.out;
  EXPECT_EQ(failed.err.find(".h5"), std::string::npos) << failed.err;
  ASSERT_TRUE(fs::exists(path("run.html")));
  const Json page = data_of(slurp(path("run.html")));
  const std::string warning = page["warning"];
  EXPECT_EQ(warning.find("The run ended early, at t = "), 0U) << warning;
  EXPECT_NE(warning.find(" instead of 20: "), std::string::npos) << warning;
  EXPECT_NE(page["facts"].dump().find("steps"), std::string::npos);

  const Result recorded = hamel("run fall.toml --out run.h5 --json");
  EXPECT_EQ(recorded.code, 1);
  EXPECT_EQ(recorded.json()["finished"], false);
  EXPECT_EQ(recorded.json()["until"], 20);
  EXPECT_GT(recorded.json()["steps"], 10);
  EXPECT_FALSE(recorded.json()["failure"].get<std::string>().empty());
  EXPECT_NE(recorded.err.find("run.h5"), std::string::npos);

  Json again = hamel("report run.h5 --json --out again.html").json(), before = recorded.json();
  for (Json* json : {&again, &before}) json->erase("wall_seconds");
  EXPECT_EQ(again, before);
  EXPECT_EQ(data_of(slurp(path("again.html")))["warning"], warning);
}

TEST_F(KeptCommand, AStoppedRunHasItsReport) {
  const pid_t child = start("run double-spherical-pendulum --until 1e9 --every 100 --out run.h5 --report run.html");
  while (!fs::exists(path("run.h5"))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  EXPECT_NE(exit_code(child), 0);
  const std::string warning = data_of(slurp(path("run.html")))["warning"];
  EXPECT_EQ(warning.find("The run ended early, at t = "), 0U) << warning;
}

// A damped pendulum loses energy as it should: a method is not the worse for it.
TEST_F(KeptCommand, DampedModelsAreComparedWithASolution) {
  const std::string compare =
      "compare particle-uniform-gravity-drag --integrators rk4,gauss8 --steps 0.02,0.01 --until 1 --plot plot.svg ";
  const Json rows = hamel(compare + "--json").json();
  ASSERT_EQ(rows.size(), 4U);
  const double coarse = rows[0]["state_error"], fine = rows[1]["state_error"];
  EXPECT_GT(coarse / fine, 10);  // order 4
  EXPECT_LT(coarse / fine, 25);
  EXPECT_LT(rows[0]["reference"]["error"], 1e-10);
  EXPECT_NE(slurp(path("plot.svg")).find("error of the state at the end"), std::string::npos);
  const std::string table = hamel(compare + "--overwrite").out;
  EXPECT_NE(table.find("error at the end"), std::string::npos);
  EXPECT_NE(table.find("The energy is not conserved."), std::string::npos);
  EXPECT_EQ(table.find("energy error"), std::string::npos);
  const Json conserved = hamel("compare spherical-pendulum --integrators rk4 --steps 0.02 --until 1 --json").json();
  EXPECT_FALSE(conserved[0].contains("state_error"));
}

}  // namespace
}  // namespace hamel::test
