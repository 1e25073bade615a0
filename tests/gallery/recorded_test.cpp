// Every model accelerates and moves as it did when it was recorded.
#include "gallery/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace hamel::test {
namespace {

const std::map<std::string, Numbers>& recorded() {
  static const std::map<std::string, Numbers> all = read_recorded();
  return all;
}

// Large models are recorded as smaller ones of the same shape.
ModelFile of_modest_size(const std::string& id) {
  return gallery_model(id, id == "molecules-on-sphere" ? Overrides{{"n", "12"}} : Overrides{});
}

std::vector<std::string> recorded_ids() {
  std::vector<std::string> ids;
  for (const auto& model : recorded()) ids.push_back(model.first);
  return ids;
}

TEST(DISABLED_Record, ModelsThatHaveNoneYet) {
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder()))
    if (const std::string id = entry.path().stem(); !recorded().contains(id))
      append_recorded(id, measured(of_modest_size(id)));
}

class Recorded : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, Recorded, testing::ValuesIn(recorded_ids()),
                         [](const auto& id) { return test_name(id.param); });

TEST_P(Recorded, IsWhatItWas) {
  const Numbers now = measured(of_modest_size(GetParam()));
  for (const auto& [what, before] : recorded().at(GetParam())) {
    const auto same = now.find(what);
    ASSERT_NE(same, now.end()) << what << " is refused now";
    ASSERT_EQ(same->second.size(), before.size()) << what;
    const double tolerance = what.starts_with("a") ? 1e-12 : 1e-11;
    const double size = before.lpNorm<Eigen::Infinity>();
    EXPECT_LE((same->second - before).lpNorm<Eigen::Infinity>(), tolerance * size) << what << ", of size " << size;
  }
}

}  // namespace
}  // namespace hamel::test
