#include "hamel/program/native.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <numeric>

#include "program/cache.hpp"
#include "program/compiler.hpp"
#include "program/emit.hpp"
#include "program/emit_columns.hpp"
#include "program/notice.hpp"
#include "program/preamble.hpp"
#include "program/sha256.hpp"

namespace hamel {
namespace {

constexpr std::size_t operations_worth_two_compilers = 3000;

std::chrono::milliseconds compile_limit = std::chrono::seconds(120);
bool compiler_is_too_slow = false;

using Tapes = std::vector<const Program::Tape*>;

struct Part {
  std::size_t tape;
  SegmentRange range;
};

// One shared object: parts of one or several programs.
struct Unit {
  std::vector<Part> parts;
  std::string source, key;
  std::shared_ptr<void> library;
};

std::string entry_name(const Part& part) { return fmt::format("hamel_run_{}", part.tape); }

// All tapes in one unit, or the first and the second half of their operations in two.
std::vector<Unit> divide(const Tapes& tapes) {
  std::size_t total = 0;
  for (const auto* tape : tapes) total += tape->rolled.operations();
  const std::size_t half = total < operations_worth_two_compilers ? total : total / 2;
  std::vector<Unit> units(1);
  std::size_t done = 0;
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const auto& segments = tapes[i]->rolled.segments;
    const auto end = static_cast<std::uint32_t>(segments.size());
    std::uint32_t cut = 0;
    for (; cut < end && done < half; ++cut) done += segments[cut].period;
    if (cut > 0 || end == 0) units.back().parts.push_back({i, {0, cut}});
    if (cut == end) continue;
    if (units.size() == 1) units.emplace_back();
    units.back().parts.push_back({i, {cut, end}});
  }
  return units;
}

std::string source_of(const Unit& unit, const Tapes& tapes, int lanes) {
  std::string text = emit_preamble(tapes, lanes);
  for (const Part& part : unit.parts) text += emit_c(*tapes[part.tape], part.range, entry_name(part), lanes);
  return text;
}

std::string key_of(const std::string& source, const Compiler& compiler) {
  std::string text = source + '\0' + compiler.identity + '\0' + host_processor() + '\0';
  for (const std::string& flag : compiler_flags()) text += flag + ' ';
  return sha256(text);
}

// Temporary files of one compilation, with names that no other process or thread uses.
class Compilation {
 public:
  Compilation(const Unit& unit, const Compiler& compiler, const std::string& folder)
      : stem_(fmt::format("{}/{}.{}.{}", folder, unit.key, ::getpid(), ++counter_)),
        target_(fmt::format("{}/{}.so", folder, unit.key)) {
    std::ofstream file(stem_ + ".c");
    file << unit.source << "const char hamel_key[] = \"" << unit.key << "\";\n";
    file.close();
    if (!file) return;
    std::vector<std::string> command = {compiler.path};
    const auto flags = compiler_flags();
    command.insert(command.end(), flags.begin(), flags.end());
    for (const char* word : {"-o", ".so", ".c", "-lm"}) command.push_back(*word == '.' ? stem_ + word : word);
    process_.emplace(command, stem_ + ".log");
  }

  ~Compilation() {
    process_.reset();
    std::error_code ignored;
    for (const char* suffix : {".c", ".so", ".log"}) std::filesystem::remove(stem_ + suffix, ignored);
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  bool could_write() const { return process_.has_value(); }
  std::string wait() { return process_->wait(compile_limit); }
  bool ran_out_of_time() const { return process_->ran_out_of_time(); }
  bool publish() { return seal_library(stem_ + ".so") && ::rename((stem_ + ".so").c_str(), target_.c_str()) == 0; }

  std::string log() const {
    std::ifstream file(stem_ + ".log");
    std::string line, text;
    for (int lines = 0; lines < 8 && std::getline(file, line); ++lines) text += "\n  " + line;
    return text;
  }

 private:
  static inline std::atomic<int> counter_ = 0;
  std::string stem_, target_;
  std::optional<Process> process_;
};

void load(Unit& unit, const std::string& folder) {
  unit.library = load_library(fmt::format("{}/{}.so", folder, unit.key), unit.key);
}

// Empty when the unit is loaded, otherwise what is wrong with the compiler.
std::string finish(Compilation& compilation, Unit& unit, const std::string& folder) {
  if (const std::string problem = compilation.wait(); !problem.empty()) return problem;
  if (!compilation.publish()) return "left nothing that could be stored";
  load(unit, folder);
  return unit.library ? "" : "made a library that cannot be loaded";
}

void tell(const Compilation& compilation, const Compiler& compiler, const std::string& problem) {
  if (compilation.ran_out_of_time())
    notice("slow compiler",
           fmt::format("no native code: the compiler {} {}. This program and those after it run in the "
                       "interpreter.",
                       compiler.path, problem));
  else
    notice("compile " + compiler.path,
           fmt::format("no native code: the compiler {} {}; set HAMEL_CC to one that works. Programs run in the "
                       "interpreter.{}",
                       compiler.path, problem, compilation.log()));
}

bool build(std::vector<Unit>& units, const Compiler& compiler, const std::string& folder) {
  const bool complete =
      std::all_of(units.begin(), units.end(), [](const Unit& unit) { return unit.library != nullptr; });
  if (compiler_is_too_slow && !complete) return false;
  std::vector<std::unique_ptr<Compilation>> running(units.size());
  for (std::size_t i = 0; i < units.size(); ++i)
    if (!units[i].library) running[i] = std::make_unique<Compilation>(units[i], compiler, folder);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!running[i]) continue;
    if (!running[i]->could_write()) {
      notice("write " + folder, fmt::format("no native code: the cache {} cannot be written; make it writable or set "
                                            "HAMEL_CACHE. Programs run in the interpreter.",
                                            folder));
      return false;
    }
    if (const std::string problem = finish(*running[i], units[i], folder); !problem.empty()) {
      tell(*running[i], compiler, problem);
      compiler_is_too_slow = running[i]->ran_out_of_time();
      return false;
    }
  }
  return true;
}

void install(const std::vector<Unit>& units, const Tapes& tapes, int lanes) {
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    auto native = std::make_unique<NativeCode>();
    std::size_t used = 0;
    for (const Unit& unit : units)
      for (const Part& part : unit.parts)
        if (part.tape == i) {
          native->part[used] = reinterpret_cast<NativeFunction>(::dlsym(unit.library.get(), entry_name(part).c_str()));
          native->library[used++] = unit.library;
        }
    if (lanes == 1 && used == 1) tapes[i]->entry.store(native->part[0], std::memory_order_release);
    auto& slot = tapes[i]->native(lanes);
    slot.owner = std::move(native);
    slot.code.store(slot.owner.get(), std::memory_order_release);
  }
}

// Loads the units from the cache, or compiles them.
bool make_libraries(std::vector<Unit>& units) {
  const auto folder = open_cache();
  const auto compiler = folder ? find_compiler() : std::nullopt;
  if (!compiler) return false;
  for (Unit& unit : units) {
    unit.key = key_of(unit.source, *compiler);
    load(unit, *folder);
  }
  return build(units, *compiler, *folder);
}

bool compile_tapes(const Tapes& tapes, int lanes) {
  std::vector<Unit> units = divide(tapes);
  for (Unit& unit : units) unit.source = source_of(unit, tapes, lanes);
  if (!make_libraries(units)) return false;
  install(units, tapes, lanes);
  return true;
}

bool compile_in_columns(const Program::Tape& tape, Program::InColumns groups) {
  const Tapes tapes{&tape};
  std::vector<Unit> units(1);
  units[0].source = emit_preamble(tapes, 8) + emit_columns(tape, groups, "hamel_columns");
  if (!make_libraries(units)) return false;
  tape.columns.library = units[0].library;
  tape.columns.entry.store(reinterpret_cast<Program::ColumnsEntry>(::dlsym(units[0].library.get(), "hamel_columns")),
                           std::memory_order_release);
  return true;
}

std::mutex one_at_a_time;

bool switched_off() {
  const char* value = std::getenv("HAMEL_NATIVE");
  return value != nullptr && std::string_view(value) == "0";
}

}  // namespace

void set_compile_limit(std::chrono::milliseconds limit) {
  compile_limit = limit;
  compiler_is_too_slow = false;
}

bool compile_native(std::span<const Program* const> programs, int lanes) {
  const std::scoped_lock guard(one_at_a_time);
  Tapes tapes;
  for (const Program* program : programs) {
    const Program::Tape* tape = &program->tape();
    if (!program->is_native(lanes) && !tape->native(lanes).failed &&
        std::find(tapes.begin(), tapes.end(), tape) == tapes.end())
      tapes.push_back(tape);
  }
  if (!tapes.empty() && !switched_off() && !compile_tapes(tapes, lanes))
    for (const auto* tape : tapes) tape->native(lanes).failed = true;
  return std::all_of(programs.begin(), programs.end(),
                     [=](const Program* program) { return program->is_native(lanes); });
}

bool Program::compile_columns(InColumns groups) const {
  const std::scoped_lock guard(one_at_a_time);
  if (columns() != nullptr) return true;
  Tape::Columns& mine = tape().columns;
  if (mine.failed || switched_off() || operations() > longest_in_columns) return false;
  mine.failed = !compile_in_columns(tape(), groups);
  return !mine.failed;
}

LaneCode::LaneCode(std::vector<const Program*> programs, std::string text)
    : programs_(std::move(programs)), text_(std::move(text)) {
  const std::scoped_lock guard(one_at_a_time);
  const auto& known = programs_.front()->tape().lane_texts;
  if (const auto found = known.find(text_); found != known.end()) entry_ = found->second.entry;
}

bool LaneCode::pays(double steps, const LaneStepWork& work) const {
  constexpr double start = 0.06, compile = 250e-6, saved = 1.6e-9;  // seconds, as in native_pays; measured
  double operations = 0, compiled = 0;
  for (const Program* program : programs_) {
    const auto size = static_cast<double>(program->operations());
    operations += size;
    compiled += program->operations() <= longest_inlined ? size * work.copies : size;
  }
  return steps * (work.beside + saved * work.evaluations * operations) > start + compile * compiled;
}

bool LaneCode::compile() {
  if (exists() || programs_.empty()) return exists();
  const std::scoped_lock guard(one_at_a_time);
  Tapes tapes;
  for (const Program* program : programs_) tapes.push_back(&program->tape());
  const auto [place, is_new] = tapes.front()->lane_texts.try_emplace(text_);
  Program::Tape::LaneText& shared = place->second;
  if (is_new && !switched_off()) {
    std::vector<Unit> units(1);
    units[0].source = emit_preamble(tapes, 8) + widest_vectors + lane_choices + text_;
    if (make_libraries(units)) {
      shared.library = units[0].library;
      shared.entry = reinterpret_cast<LaneEntry>(::dlsym(shared.library.get(), lane_entry));
    }
  }
  entry_ = shared.entry;
  return exists();
}

void LaneCode::operator()(const double* const* in, double* const* out) const {
  if (!exists()) throw std::logic_error("native code of lanes is called before it was compiled");
  entry_(in, out);
}

bool native_pays(const Program& program, double runs, int lanes) {
  constexpr double start = 0.05, compile = 110e-6;  // seconds, the latter per operation, as `saved`; measured
  const double saved = lanes == 1 ? 0.6e-9 : 1.6e-9;
  const auto compiled = static_cast<double>(program.tape().rolled.operations());
  return saved * static_cast<double>(program.operations()) * runs > start + compile * compiled;
}

}  // namespace hamel
