// Equations of model files that a reader can believe: they hold along the motion of the engine, symbol by symbol, and
// fit on a page.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "hamel/language/model_file.hpp"
#include "textbook/balance.hpp"

namespace hamel::test {
namespace {

const std::string models = HAMEL_SOURCE_DIR "/models/", written = HAMEL_SOURCE_DIR "/tests/language/believed/";

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::size_t length_in_columns(const TextbookEquations& set) {
  std::size_t length = 0;
  for (const std::string& line : lines(set)) length += wrapped(line, 80).size() + 1;
  return length;
}

void expect_balance_of(const std::string& path, Form form) {
  const ModelFile file = read_model(path);
  const Model model = file.model.open();
  const TextbookEquations set = textbook_equations(model, form);
  if (set.components) return;
  const System system = derive(model);
  Balance balance(system, form);
  Random random(3);
  std::vector<State> states;
  if (!model.constraints().empty()) {
    std::vector<std::string> remarks;
    states.push_back(start_state(file, system, remarks));
  } else {
    for (int k = 0; k < 2; ++k) {
      const VectorXd q = system.space().random_point(random);
      states.push_back({0.3 * k, q, system.space().random_tangent(q, random)});
    }
  }
  for (const State& state : states) balance.expect(set, state, 1e-7);
}

bool is_plain(const Coordinate& coordinate) {
  return coordinate.space.is_flat() || coordinate.space.is_unit_sphere() || coordinate.space.turning() != Turning::none;
}

class Believed : public ::testing::TestWithParam<std::string> {};

TEST_P(Believed, HoldsAlongTheMotion) {
  const ModelFile file = read_model(GetParam());
  const std::vector<Coordinate>& coordinates = file.model.coordinates();
  if (coordinates.size() > 12 || file.model.has_field() ||
      !std::all_of(coordinates.begin(), coordinates.end(), is_plain))
    GTEST_SKIP() << "many coordinates, no accelerations, or no vectors";
  const bool by_momenta = !file.model.hamiltonian_terms().empty();
  for (const Form form : all_forms)
    if (!by_momenta || form == Form::mu || form == Form::pi) expect_balance_of(GetParam(), form);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem();
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Gallery, Believed, ::testing::ValuesIn(files_in(models)), name_of);
INSTANTIATE_TEST_SUITE_P(Written, Believed, ::testing::ValuesIn(files_in(written)), name_of);

TEST(OnAPage, JointsBodiesAndGimbals) {
  for (const std::string& path :
       {models + "full-body-problem.toml", models + "spacecraft-cmg.toml", models + "revolute-robot-3d.toml",
        models + "rigid-body-single-elastic-support.toml", written + "two-gimbals.toml"})
    for (const Form form : all_forms)
      EXPECT_LT(length_in_columns(textbook_equations(read_model(path).model, form)), 3000U)
          << path << ", form " << static_cast<int>(form);
}

TEST(OnAPage, OneAngle) {
  for (const Form form : {Form::velocity, Form::omega})
    EXPECT_EQ(lines(textbook_equations(read_model(written + "one-angle.toml").model, form)),
              std::vector<std::string>{"a'' = -9.81*sin(a)"});
}

TEST(OnAPage, AnInertiaThatIsWrittenOutIsJ) {
  const std::vector<std::string> all =
      lines(textbook_equations(read_model(models + "t-handle.toml").model, Form::omega));
  EXPECT_EQ(all.back(), "J*Omega' + cross(Omega, J*Omega) = [0, 0, 0]");
  EXPECT_TRUE(all.front().starts_with("J = diag(bar*d^2")) << all.front();
}

// Kirchhoff's equations
TEST(OnAPage, MatricesOfParameters) {
  const char* text = R"(
[parameters]
I = [2, 3, 4]
M = [1, 2, 3]
w = 0.7
[coordinates]
G = "SE3"
[definitions]
u = "transpose(rotation(G))*position(G)'"
[energy]
kinetic = ["dot(Omega(G), diag(I)*Omega(G))/2", "dot(u, diag(M)*u)/2"]
potential = "w*position(G)[3]"
)";
  const std::vector<std::string> expected = {
      "R_G' = R_G*hat(Omega)", "x_G' = R_G*V",
      "diag(I)*Omega' + cross(Omega, diag(I)*Omega) + cross(V, diag(M)*V) = [0, 0, 0]",
      "diag(M)*V' + cross(Omega, diag(M)*V) = -w*transpose(R_G)*e3"};
  EXPECT_EQ(lines(textbook_equations(parse_model(text, "water").model, Form::omega)), expected);
}

}  // namespace
}  // namespace hamel::test
