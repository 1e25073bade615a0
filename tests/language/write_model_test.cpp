#include "hamel/language/write_model.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "hamel/language/model_file.hpp"
#include "hamel/manifold/spaces.hpp"

namespace hamel {
namespace {

namespace fs = std::filesystem;

// Every model of the gallery, written and read again, has the same accelerations.
TEST(WrittenModels, MoveAsTheOriginals) {
  int written = 0, refused = 0;
  for (const auto& entry : fs::directory_iterator(HAMEL_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().stem().string());
    const ModelFile file = read_model(entry.path().string());
    if (file.model.coordinates().size() > 60) continue;  // the large ones take long and add nothing
    const System system = derive(file.model);
    std::vector<std::string> remarks;
    State start = start_state(file, system, remarks);
    start.model = std::make_shared<const Model>(file.model);
    std::string text;
    try {
      text = model_text(file.model) + start_text(start);
    } catch (const std::invalid_argument& refusal) {
      ++refused;
      EXPECT_NE(std::string(refusal.what()).find("cannot be written"), std::string::npos) << refusal.what();
      continue;
    }
    {
      const ModelFile copy = parse_model(text, "copy");
      const System again = derive(copy.model);
      const State there = start_state(copy, again, remarks);
      ASSERT_EQ(there.q.size(), start.q.size());
      EXPECT_LT((there.q - start.q).norm(), 1e-13 * (1 + start.q.norm()));
      EXPECT_LT((there.v - start.v).norm(), 1e-13 * (1 + start.v.norm()));
      const auto rate = [](const System& of, const State& at) {
        return of.has_energies() ? acceleration(of, at) : at.v;
      };
      const VectorXd expected = rate(system, start);
      EXPECT_LT((rate(again, there) - expected).norm(), 1e-11 * (1 + expected.norm())) << text;
      ++written;
    }
  }
  EXPECT_GT(written, 70);
  EXPECT_LE(refused, 1);
}

TEST(WrittenModels, CountFromOneAndNameWhatIsUsedTwice) {
  Model model("two");
  const Formula m = model.parameter("m", {1.0, 2.5});
  const std::vector<Formula> q = model.coordinates("q", Manifold(S2{}), 2);
  const Formula x = q[0] + 2 * q[1];
  model.kinetic(m[0] / 2 * squared_norm(rate(x)));
  model.kinetic(m[1] / 2 * squared_norm(rate(q[0])));
  model.potential(m[0] * x.z());
  const std::string expected = R"toml(name = "two"
description = "Two \"links\""

[parameters]
m = [1, 2.5]

[coordinates]
q = "S2[2]"

[definitions]
part1 = "q[1] + 2*q[2]"

[energy]
kinetic = [
  "m[1]/2*norm2(part1')",
  "m[2]/2*norm2(q'[1])",
]
potential = "m[1]*part1.z"
)toml";
  EXPECT_EQ(model_text(model, "Two \"links\""), expected);
}

TEST(WrittenModels, RefuseWhatAFileCannotSay) {
  Model model("tabled");
  const Formula x = model.coordinate("x", Manifold(Rn(1)));
  model.kinetic(squared_norm(rate(x)));
  model.potential(interp(table("height", Formula((Eigen::MatrixXd(2, 2) << 0, 0, 1, 2).finished())), x));
  try {
    model_text(model);
    ADD_FAILURE() << "was written";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("the table height cannot be written"), std::string::npos)
        << refusal.what();
  }
}

}  // namespace
}  // namespace hamel
