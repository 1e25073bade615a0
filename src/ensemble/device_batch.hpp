// The members that one stream of a device works on: their arrays here and there.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "ensemble/run_text.hpp"
#include "hamel/ensemble/device_run.hpp"

namespace hamel {

// Numbers of a member.
struct BatchSizes {
  int start, own, scalars, kept, ambient, outputs;  // scalars: those of the start that are needed there

  std::size_t up() const {
    return static_cast<std::size_t>(start) + static_cast<std::size_t>(own) + static_cast<std::size_t>(scalars);
  }
  std::size_t down() const {
    return static_cast<std::size_t>(start) * (1 + static_cast<std::size_t>(outputs)) + static_cast<std::size_t>(kept);
  }
  std::size_t bytes() const { return (up() + down()) * sizeof(double) + 2 * sizeof(int); }
};

// Members of a chunk: as many as were asked for, and as the memory of the device has room for, twice.
Eigen::Index chunk_size(const Accelerator& device, const BatchSizes& sizes, Eigen::Index members, Eigen::Index most);

class DeviceBatch {
 public:
  DeviceBatch(Accelerator& device, const BatchSizes& sizes, Eigen::Index capacity, int stream);
  ~DeviceBatch();
  DeviceBatch(const DeviceBatch&) = delete;
  DeviceBatch& operator=(const DeviceBatch&) = delete;

  void begin(Eigen::Index first, Eigen::Index count) { first_ = first, count_ = count; }
  double* start() { return static_cast<double*>(up_.get()); }
  double* own() { return start() + sizes_.start * count_; }
  double* scalars() { return own() + sizes_.own * count_; }
  const double* finish() const { return static_cast<const double*>(down_.get()); }
  Eigen::Map<const MatrixXd> kept() const {
    return {column(static_cast<std::size_t>(sizes_.start)), count_, sizes_.kept};
  }
  const double* path(int output) const {
    return column(sizes_.down() -
                  static_cast<std::size_t>(sizes_.start) * static_cast<std::size_t>(sizes_.outputs - output));
  }

  // To the device, through the kernels and back; waits for nothing, unless these are to be timed: their seconds.
  double run(Accelerator::Module& module, bool has_long_steps, DeviceArguments arguments, bool timed);
  // Waits. Everything but the states and what is kept.
  DeviceChunk collect();

 private:
  using Memory = std::unique_ptr<void, std::function<void(void*)>>;
  Memory here(std::size_t bytes);
  Memory there(std::size_t bytes);
  const double* column(std::size_t i) const { return finish() + i * static_cast<std::size_t>(count_); }

  Accelerator& device_;
  BatchSizes sizes_;
  int stream_;
  Eigen::Index first_ = 0, count_ = 0;
  Memory up_, down_, outcome_, there_up_, there_down_, there_outcome_;
  bool is_running_ = false;
};

}  // namespace hamel
