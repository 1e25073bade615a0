// Work that is ended from outside.
#include "hamel/graph/interruption.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "hamel/graph/expr.hpp"

namespace hamel {
namespace {

void grow_without_end() {
  Graph graph;
  const Graph::Scope scope(graph);
  Expr sum = graph.variable("x");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int k = 0; std::chrono::steady_clock::now() < end; ++k) sum = sum * sum + k;
}

TEST(Interruption, ComesOutOfWhatGrowsAGraph) {
  int asked = 0;
  const Interruptible here([&] {
    if (++asked == 3) throw Interruption();
  });
  EXPECT_THROW(grow_without_end(), Interruption);
  EXPECT_EQ(asked, 3);
}

TEST(Interruption, EndsTheInnermostWorkOfItsThread) {
  bool outer = false, inner = false;
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(25)); };
  const Interruptible around([&] { outer = true; });
  {
    const Interruptible within([&] { inner = true; });
    wait();
    std::thread(check_interruption).join();
    EXPECT_FALSE(inner) << "nobody asked to end the work of that thread";
    check_interruption();
  }
  EXPECT_TRUE(inner);
  EXPECT_FALSE(outer);
  wait();
  check_interruption();
  EXPECT_TRUE(outer);
}

}  // namespace
}  // namespace hamel
