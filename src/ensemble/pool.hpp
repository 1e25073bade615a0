// Groups of work, done by threads in any order, taken in their own order.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace hamel {

// Results that wait to be taken are at most `ahead`. `work(thread, group)` runs in the threads, `take(result)` in this
// one, of several groups one after the other where they are small: to wake it takes time as well. What either throws
// ends all, and is thrown here. `is_over` is asked between groups; false: it was.
template <class Result, class Work, class Take, class IsOver>
bool in_order(unsigned threads, std::uint64_t first, std::uint64_t last, std::uint64_t ahead, Work work, Take take,
              IsOver is_over) {
  std::mutex lock;
  std::condition_variable room, news;
  std::map<std::uint64_t, Result> done;
  std::uint64_t next = first, taken = first;
  std::exception_ptr problem;
  bool ends = false;
  const std::uint64_t enough = std::clamp<std::uint64_t>(ahead / 4, 1, 16);
  const auto is_worth_waking = [&] { return ends || done.size() >= enough || next >= last; };

  const auto run = [&](unsigned thread) {
    std::unique_lock guard(lock);
    while (true) {
      room.wait(guard, [&] { return ends || next >= last || next < taken + ahead; });
      if (ends || next >= last) return;
      const std::uint64_t group = next++;
      guard.unlock();
      try {
        Result result = work(thread, group);
        guard.lock();
        done.emplace(group, std::move(result));
      } catch (...) {
        if (!guard.owns_lock()) guard.lock();
        if (!problem) problem = std::current_exception();
        ends = true;
      }
      if (is_worth_waking()) news.notify_one();
      if (ends) room.notify_all();
    }
  };
  std::vector<std::thread> workers;
  const auto finish = [&] {
    {
      const std::lock_guard guard(lock);
      ends = true;
    }
    room.notify_all();
    for (std::thread& worker : workers) worker.join();
  };
  try {
    for (unsigned k = 0; k < threads; ++k) workers.emplace_back(run, k);
    std::unique_lock guard(lock);
    while (taken < last && !ends) {
      news.wait_for(guard, std::chrono::milliseconds(50),
                    [&] { return ends || (done.contains(taken) && is_worth_waking()); });
      if (!ends && is_over()) break;
      for (auto found = done.find(taken); found != done.end() && !ends && !is_over(); found = done.find(taken)) {
        const Result result = std::move(found->second);
        done.erase(found);
        ++taken;
        guard.unlock();
        room.notify_all();
        take(result);
        guard.lock();
      }
    }
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (problem) std::rethrow_exception(problem);
  return taken == last;
}

}  // namespace hamel
