// What a law of an input may be.
#include <gtest/gtest.h>

#include "hamel/manifold/factors.hpp"
#include "hamel/model/model.hpp"
#include "message.hpp"

namespace hamel::test::laws_test {
namespace {

struct Cart {
  Model model{"cart"};
  Formula x = model.coordinate("x", Rn(1)), u = model.input("u"), w = model.input("w", 2);

  std::string refusal(const Formula& input, const Formula& law, double sample = 0) {
    return message_of<std::invalid_argument>([&] { model.law(input, law, sample); });
  }
};

TEST(Laws, AreRefused) {
  Cart cart;
  EXPECT_EQ(cart.refusal(cart.x, 1.0), "a law is for an input, got x (scalar)");
  EXPECT_EQ(cart.refusal(cart.w, cart.x), "the input w has 2 components, and its law is x (scalar)");
  EXPECT_EQ(cart.refusal(cart.u, -cart.u),
            "the law of u contains the input u, which has no law that holds at all times");
  EXPECT_EQ(cart.refusal(cart.u, cart.x, -1), "the law of u must be held for a positive time, got -1");
  cart.model.law(cart.u, -cart.x, 0.1);
  EXPECT_EQ(cart.refusal(cart.u, cart.x), "the input u has a law already: -x");
  EXPECT_EQ(cart.refusal(cart.w, Formula::vector({cart.x, cart.x}), 0.2),
            "the laws of u and w are sampled every 0.1 and 0.2: sampled laws of a model need one interval");
}

TEST(Laws, AreOpened) {
  Cart cart;
  cart.model.law(cart.u, -cart.x);
  EXPECT_TRUE(cart.model.follows_law(0));
  EXPECT_FALSE(cart.model.follows_law(1));
  EXPECT_FALSE(cart.model.open().follows_law(0));
  EXPECT_EQ(cart.model.open().inputs()[0].law->to_string(), "-x");
}

}  // namespace
}  // namespace hamel::test::laws_test
