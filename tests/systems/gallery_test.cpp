// What every system of the gallery must satisfy.
#include "systems/models.hpp"
#include "systems/support.hpp"

namespace hamel::test::gallery_test {
namespace {

std::string name_of(const ::testing::TestParamInfo<Exhibit>& info) { return info.param.name; }

class Gallery : public ::testing::TestWithParam<Exhibit> {};

TEST_P(Gallery, FormsAndTiersAgree) {
  const System system = derive(GetParam().model());
  expect_forms_agree(system, random_samples(system));
}

TEST_P(Gallery, PathsAgree) {
  const Model model = GetParam().model();
  const System system = derive(model);
  EXPECT_EQ(system.path() == Path::constant_mass, GetParam().constant_mass) << system.path_reason();
  if (system.path() == Path::constant_mass) {
    expect_paths_agree(model, random_samples(system));
  } else {
    EXPECT_THROW(derive(model, {Path::constant_mass}), std::invalid_argument);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Gallery, ::testing::ValuesIn(gallery()), name_of);

}  // namespace
}  // namespace hamel::test::gallery_test
