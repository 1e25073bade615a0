// Every model accelerates and moves as it did when it was recorded.
#include "gallery/recorded.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(DISABLED_Record, ModelsThatHaveNoneYet) {
  for (const std::string& id : gallery_ids())
    if (!recorded().contains(id)) append_recorded(id, measured(of_modest_size(id)));
}

TEST(RecordedModels, Exist) {
  const std::vector<std::string> ids = gallery_ids();
  for (const auto& model : recorded())
    EXPECT_TRUE(std::binary_search(ids.begin(), ids.end(), model.first)) << model.first << " is no model of models/";
}

class Recorded : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, Recorded, testing::ValuesIn(gallery_ids()),
                         [](const auto& id) { return test_name(id.param); });

TEST_P(Recorded, IsWhatItWas) {
  ASSERT_TRUE(recorded().contains(GetParam()))
      << GetParam()
      << " is not recorded: test_gallery --gtest_also_run_disabled_tests --gtest_filter='DISABLED_Record.*'"
      << " adds it to tests/gallery/recorded.txt";
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
