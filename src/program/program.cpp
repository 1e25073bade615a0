#include "hamel/program/program.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "hamel/graph/interruption.hpp"
#include "hamel/program/native.hpp"
#include "program/fuse.hpp"
#include "program/tape.hpp"

namespace hamel {
namespace {

// Vectors that straddle cache lines cost up to a half more: with lanes, the file starts at the next line.
constexpr std::size_t line = 64 / sizeof(double);

double* next_line(double* memory) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) / sizeof(double) % line;
  return memory + (line - past) % line;
}

// A copy that straddles two pages costs as much as thirty operations: of one lane, inputs that fit in a page lie in
// one.
constexpr std::size_t page = 4096 / sizeof(double);

std::size_t room_to_move(const Schedule& schedule) { return schedule.first_output <= page ? schedule.first_output : 0; }

double* within_page(double* memory, std::size_t numbers) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) / sizeof(double) % page;
  return past + numbers > page ? memory + (page - past) : memory;
}

}  // namespace

Program::Tape::Tape(std::string program_name, Code program_code)
    : name(std::move(program_name)), code(std::move(program_code)), rolled(roll(code)), schedule(make_schedule(code)) {}

Program::Program(std::string name, const Groups& inputs, const Groups& outputs, std::size_t uniform_groups) {
  check_interruption();
  Code code = fuse(make_code(name, inputs, outputs, uniform_groups));
  *this = Program(std::make_shared<const Tape>(std::move(name), std::move(code)));
}

Program::Program(std::shared_ptr<const Tape> tape) : tape_(std::move(tape)), entry_(&tape_->entry) {}

Program Program::varied() const {
  if (!tape_ || tape_->code.uniform_groups == 0) return *this;
  std::call_once(tape_->varied_once, [&] {
    Code code = tape_->code;
    code.uniform_groups = 0;
    tape_->varied = std::make_shared<const Tape>(tape_->name, std::move(code));
  });
  return Program(tape_->varied);
}

const Program::Tape& Program::tape() const {
  static const Tape empty("empty", {});
  return tape_ ? *tape_ : empty;
}

const Code& Program::code() const { return tape().code; }
const std::string& Program::name() const { return tape().name; }
std::size_t Program::operations() const { return tape().code.operations.size(); }

std::size_t Program::scratch_size(int lanes) const {
  if (lanes != 1 && lanes != 4 && lanes != 8)
    throw std::invalid_argument("program '" + name() + "': " + std::to_string(lanes) + " lanes; take 1, 4 or 8");
  const std::size_t numbers = std::max<std::size_t>(tape().schedule.registers, tape().rolled.work_size);
  return numbers * static_cast<std::size_t>(lanes) + (lanes == 1 ? room_to_move(tape().schedule) : line - 1);
}

bool Program::is_native(int lanes) const {
  return tape().native(lanes).code.load(std::memory_order_acquire) != nullptr;
}

bool Program::compile(int lanes) const {
  const std::array programs{this};
  return compile_native(programs, lanes);
}

Program::ColumnsEntry Program::columns() const { return tape().columns.entry.load(std::memory_order_acquire); }

template <int lanes>
void Program::run_lanes(const double* const* in, double* const* out, double* scratch) const {
  if (!tape_) return;
  double* const file = lanes == 1 ? within_page(scratch, room_to_move(tape_->schedule)) : next_line(scratch);
  if (const NativeCode* native = tape_->native(lanes).code.load(std::memory_order_acquire))
    return native->run(in, out, file);

  double* at = file;
  for (const double value : tape_->code.constants) at = std::fill_n(at, lanes, value);
  for (std::size_t g = 0; g < tape_->code.input_sizes.size(); ++g) {
    const std::size_t size = tape_->code.input_sizes[g];
    if (lanes > 1 && tape_->code.is_uniform(g))
      for (std::size_t i = 0; i < size; ++i) at = std::fill_n(at, lanes, in[g][i]);
    else
      at = std::copy_n(in[g], size * lanes, at);
  }
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
