#include "hamel/program/program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

Program::Program(std::string name, const Groups& inputs, const Groups& outputs, std::size_t uniform_groups) {
  Code code = make_code(name, inputs, outputs, uniform_groups);
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
  const std::size_t numbers = std::max<std::size_t>(tape().schedule.registers, tape().rolled.work_size);
  return numbers * static_cast<std::size_t>(lanes) + (lanes == 1 ? 0 : line - 1);
}

bool Program::is_native(int lanes) const {
  return tape().native(lanes).code.load(std::memory_order_acquire) != nullptr;
}

bool Program::compile(int lanes) const {
  const std::array programs{this};
  return compile_native(programs, lanes);
}

template <int lanes>
void Program::run_lanes(const double* const* in, double* const* out, double* scratch) const {
  if (!tape_) return;
  double* const file = lanes == 1 ? scratch : next_line(scratch);
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

namespace {

long double apply(Op op, long double a, long double b, long double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::negate:
      return -a;
    case Op::abs:
      return std::fabs(a);
    case Op::power:
      return std::pow(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return std::fmin(a, b);
    case Op::max:
      return std::fmax(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::select:
      return a != 0 ? b : c;
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    default:
      __builtin_unreachable();  // code has no other operations
  }
}

}  // namespace

void Program::run_extended(const long double* const* in, long double* const* out) const {
  const Code& code = tape().code;
  std::vector<long double> values(code.constants.begin(), code.constants.end());
  values.reserve(code.values());
  for (const std::uint32_t size : code.input_sizes) {
    values.insert(values.end(), *in, *in + size);
    ++in;
  }
  const auto argument = [&](const Operation& operation, std::size_t k) {
    return k < operation.arity ? values[operation.argument[k]] : 0;
  };
  for (const Operation& operation : code.operations)
    values.push_back(apply(operation.op, argument(operation, 0), argument(operation, 1), argument(operation, 2)));
  auto next = code.outputs.begin();
  for (const std::uint32_t size : code.output_sizes) {
    for (std::uint32_t i = 0; i < size; ++i) (*out)[i] = values[*next++];
    ++out;
  }
}

}  // namespace hamel
