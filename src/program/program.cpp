#include "hamel/program/program.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "hamel/program/native.hpp"
#include "program/tape.hpp"

namespace hamel {
namespace {

// Vectors that straddle cache lines cost up to a half more: with lanes, the file starts at the next line.
constexpr std::size_t line = 64 / sizeof(double);

double* next_line(double* memory) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) / sizeof(double) % line;
  return memory + (line - past) % line;
}

}  // namespace

Program::Tape::Tape(std::string program_name, Code program_code)
    : name(std::move(program_name)), code(std::move(program_code)), rolled(roll(code)), schedule(make_schedule(code)) {}

Program::Program(std::string name, const Groups& inputs, const Groups& outputs) {
  Code code = make_code(name, inputs, outputs);
  tape_ = std::make_shared<const Tape>(std::move(name), std::move(code));
  entry_ = &tape_->entry;
}

const Program::Tape& Program::tape() const {
  static const Tape empty("empty", {});
  return tape_ ? *tape_ : empty;
}

const std::string& Program::name() const { return tape().name; }
std::size_t Program::operations() const { return tape().code.operations.size(); }

std::size_t Program::scratch_size(int lanes) const {
  if (lanes != 1 && lanes != 4 && lanes != 8)
    throw std::invalid_argument("program '" + name() + "': " + std::to_string(lanes) + " lanes; take 1, 4 or 8");
  const std::size_t file = std::size_t{tape().schedule.registers} * static_cast<std::size_t>(lanes);
  return lanes == 1 ? std::max<std::size_t>(file, tape().rolled.work_size) : file + line - 1;
}

bool Program::is_native() const { return tape().native.load(std::memory_order_acquire) != nullptr; }

bool Program::compile() const {
  const std::array programs{this};
  return compile_native(programs);
}

template <int lanes>
void Program::run_lanes(const double* const* in, double* const* out, double* scratch) const {
  if (!tape_) return;
  if constexpr (lanes == 1)
    if (const NativeCode* native = tape_->native.load(std::memory_order_acquire)) return native->run(in, out, scratch);

  double* const file = lanes == 1 ? scratch : next_line(scratch);
  double* at = file;
  for (const double value : tape_->code.constants) at = std::fill_n(at, lanes, value);
  for (const std::uint32_t size : tape_->code.input_sizes) at = std::copy_n(*in++, std::size_t{size} * lanes, at);
  interpret<lanes>(tape_->schedule, file);
  for (const std::uint32_t size : tape_->code.output_sizes) {
    std::copy_n(at, std::size_t{size} * lanes, *out++);
    at += std::size_t{size} * lanes;
  }
}

template void Program::run_lanes<1>(const double* const*, double* const*, double*) const;
template void Program::run_lanes<4>(const double* const*, double* const*, double*) const;
template void Program::run_lanes<8>(const double* const*, double* const*, double*) const;

}  // namespace hamel
