#include "hamel/model/name_list.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

TEST(NameList, FamiliesAreOneName) {
  std::vector<std::string> names = {"x"};
  for (int k = 1; k <= 200; ++k) names.push_back("q[" + std::to_string(k) + "]");
  EXPECT_EQ(name_list(names), "x, q[1..200]");
}

TEST(NameList, FewMembersAreNamed) { EXPECT_EQ(name_list({"q[1]", "q[2]", "q[3]", "x"}), "q[1], q[2], q[3], x"); }

TEST(NameList, OnlyMembersThatFollowEachOther) {
  EXPECT_EQ(name_list({"q[0]", "q[1]", "q[2]", "q[3]", "q[5]", "p[6]"}), "q[0..3], q[5], p[6]");
  EXPECT_EQ(name_list({"J[1,1]", "J[1,2]", "J[1,3]", "J[2,1]"}), "J[1,1], J[1,2], J[1,3], J[2,1]");
  EXPECT_EQ(name_list({"q[1].x", "q[2].x", "q[3].x", "q[4].x"}), "q[1..4].x");
  EXPECT_EQ(name_list({}), "");
}

}  // namespace
}  // namespace hamel
