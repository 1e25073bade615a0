// Functions of model files: all of them are in the reference, and tables are read from the model and from files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hamel/graph/functions.hpp"
#include "hamel/integrate/integrate.hpp"
#include "hamel/language/model_file.hpp"
#include "hamel/manifold/rn.hpp"
#include "language/builtins.hpp"
#include "message.hpp"

namespace hamel {
namespace {

TEST(Reference, HasAllFunctions) {
  std::ifstream file(HAMEL_SOURCE_DIR "/docs/model-files.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const auto& [name, function] : builtins()) {
    const bool as_word = text.str().find(" " + name + " ") != std::string::npos ||
                         text.str().find("`" + name) != std::string::npos ||
                         text.str().find(" " + name + "`") != std::string::npos;
    EXPECT_TRUE(as_word) << name << " is not in docs/model-files.md";
  }
}

class Folder : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("hamel-tables-" + std::to_string(::getpid()));
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  static std::string model(const std::string& table) {
    return "[tables]\nwell = " + table + R"~(
[coordinates]
x = "R1"
[energy]
kinetic = "x'^2/2"
potential = "interp(well, x)"
[start]
x = 0.75
[run]
step = 0.01
until = 2
)~";
  }

  std::string refusal(const std::string& table, const std::string& csv) {
    write("well.csv", csv);
    write("model.toml", model(table));
    return test::message_of<SourceError>([&] { read_model(path("model.toml")); });
  }
};

constexpr const char* cubic_points = "[[-2, 8], [-1, 1], [0, 0], [1, -1], [2, -8]]";  // -x^3

// x'' = 3 x^2, from points on -x^3: the curve is the cubic itself.
TEST_F(Folder, ATableGivesTheMotionOfItsCurve) {
  const ModelFile file = parse_model(model(cubic_points), "model.toml");
  Model cubic("cubic");
  const Formula x = cubic.coordinate("x", Rn(1));
  cubic.kinetic(pow(rate(x), 2) / 2);
  cubic.potential(-pow(x, 3));
  const State start{0, VectorXd::Constant(1, -1.5), VectorXd::Constant(1, 2.5)};
  {
    const System system = derive(file.model);
    const State expected = integrate(derive(cubic), start, Rk4{.step = 0.01}, Until{.t = 0.5}).back();
    const State reached = integrate(system, start, Rk4{.step = 0.01}, Until{.t = 0.5}).back();
    EXPECT_NEAR(reached.q(0), expected.q(0), 1e-13);
    EXPECT_NEAR(reached.v(0), expected.v(0), 1e-13);
  }
}

TEST_F(Folder, ATableIsReadFromAFileBesideTheModel) {
  write("well.csv", "x, U\n# a comment\n-2;8\n-1\t1\r\n0, 0\n\n1 -1\n2,-8\n");
  write("model.toml", model("\"well.csv\""));
  const ModelFile file = read_model(path("model.toml"));
  const ModelFile plain = parse_model(model(cubic_points), "model.toml");
  EXPECT_EQ(file.text, plain.text) << "a record must not need the other file";
  EXPECT_EQ(file.model.potential_terms()[0].to_string(), "interp(well, x)");
  write("well.csv", "\xef\xbb\xbf-2,8\n-1,1\n0,0\n1,-1\n2,-8\n");
  EXPECT_EQ(read_model(path("model.toml")).text, plain.text) << "a byte order mark is no heading";
}

TEST_F(Folder, FilesThatAreNoTablesAreRefused) {
  EXPECT_NE(refusal("\"well.csv\"", "1, 2\n3, 4, 5\n").find("line 2 of well.csv is not two numbers: 3, 4, 5"),
            std::string::npos);
  EXPECT_NE(refusal("\"well.csv\"", "1, nan\n2, 3\n3, 1e999\n").find("line 3 of well.csv"), std::string::npos);
  EXPECT_NE(refusal("\"well.csv\"", "a, b\n").find("well.csv has no rows of two numbers"), std::string::npos);
  EXPECT_NE(refusal("\"other.csv\"", "").find("there is no file other.csv beside the model"), std::string::npos);
  EXPECT_NE(refusal("\"../well.csv\"", "").find("write its name alone"), std::string::npos);
  EXPECT_NE(refusal("\"/etc/passwd\"", "").find("write its name alone"), std::string::npos);
  EXPECT_NE(refusal("\"well.csv\"", "1, 2\n1, 3\n").find("must increase: 1 comes after 1"), std::string::npos);
}

std::string mistake(const std::string& potential) {
  const std::string text =
      "[parameters]\nk = 2\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"" + potential +
      "\"\n";
  const std::string message = test::message_of<SourceError>([&] { parse_model(text, "m"); });
  return message.substr(0, message.find('\n'));
}

TEST(TableMistakes, AreNamed) {
  EXPECT_EQ(
      mistake("interp(k, x)"),
      "m:7:14: interp needs a table and where to look into it, got k (scalar): write interp(table([[x1, y1], [x2, "
      "y2], ...]), x)");
  EXPECT_EQ(mistake("interp(table([[0, 1], [k, 2]]), x)").find("m:7:21: a table needs numbers, got"), 0U);
  EXPECT_EQ(mistake("interp(table([0, 1]), x)"),
            "m:7:21: a table needs two columns, [[x1, y1], [x2, y2], ...], got e2 (2x1)");
  EXPECT_EQ(mistake("hypot(x)"), "m:7:14: hypot needs 2 arguments, got 1: write hypot(a, b)");
  EXPECT_EQ(mistake("interp(table([[0, 1], [2, 2]]), x)"), "no error");
  EXPECT_NE(test::message_of<SourceError>([&] {
              parse_model("[tables]\nt = \"t.csv\"\n[coordinates]\nx = \"R1\"\n", "-");
            }).find("a model that is in none has no files beside it"),
            std::string::npos);
}

// m v' = m g - c v^2 from rest: v = V tanh(g t/V), V = sqrt(m g/c).
TEST(Drag, ACubicDissipationStartsAtRest) {
  const ModelFile file = parse_model(R"~([coordinates]
x = "R3"
[energy]
kinetic = "0.125*norm(x')*norm(x')*2"
potential = "0.5*9.81*x.z"
[dissipation]
drag = "0.1/3*norm(x')^3"
[start]
x = [0, 0, 0]
[run]
step = 0.01
until = 3
)~",
                                     "drag.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const double m = 0.5, g = 9.81, c = 0.1, V = std::sqrt(m * g / c);
  const State end = integrate(system, start, Gauss{.step = 0.01}, Until{.t = 3}).back();
  EXPECT_NEAR(end.v(2), -V * std::tanh(g * 3 / V), 1e-9);
  const State by_rk = integrate(system, start, Rk4{.step = 0.01}, Until{.t = 3}).back();
  EXPECT_NEAR(by_rk.v(2), -V * std::tanh(g * 3 / V), 1e-7);
}

}  // namespace
}  // namespace hamel
