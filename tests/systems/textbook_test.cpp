// The textbook equations of every system of the gallery hold along its motion, in all four forms.
#include "systems/models.hpp"
#include "textbook/balance.hpp"

namespace hamel::test::textbook_test {
namespace {

class GalleryInATextbook : public ::testing::TestWithParam<Exhibit> {};

TEST_P(GalleryInATextbook, Balances) { expect_balance(GetParam().model()); }

INSTANTIATE_TEST_SUITE_P(Gallery, GalleryInATextbook, ::testing::ValuesIn(gallery()),
                         [](const auto& exhibit) { return exhibit.param.name; });

}  // namespace
}  // namespace hamel::test::textbook_test
