// What varies, as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <set>
#include <sstream>

#include "hamel/language/varied_model.hpp"
#include "hamel/model/name_list.hpp"
#include "language/number.hpp"

namespace hamel {

namespace {

std::string stripped(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(stripped(part));
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

// Where it ends, if there is none; those of K[1, 2] are none.
std::size_t comma_after(const std::string& text, std::size_t begin) {
  std::size_t at = begin;
  for (bool in_brackets = false; at < text.size() && (in_brackets || text[at] != ','); ++at)
    in_brackets = text[at] == '[' || (in_brackets && text[at] != ']');
  return at;
}

double factor_in(const std::string& text, const std::string& whole) {
  if (text == "pi") return std::numbers::pi;
  if (const auto number = number_of(text); number && std::isfinite(*number)) return *number;
  throw std::invalid_argument(fmt::format("`{}` in {} is no number", text, whole));
}

// -2*pi/3, 20 deg
double number_in(std::string text, const std::string& whole) {
  text = stripped(text);
  double unit = 1;
  if (text.ends_with("deg")) {
    unit = std::numbers::pi / 180;
    text = stripped(text.substr(0, text.size() - 3));
  }
  const bool is_negative_pi = text.starts_with("-pi");
  if (is_negative_pi) text = text.substr(1);
  std::size_t at = text.find_first_of("*/");
  double value = factor_in(stripped(text.substr(0, at)), whole);
  while (at != std::string::npos) {
    const std::size_t next = text.find_first_of("*/", at + 1);
    const double factor =
        factor_in(stripped(text.substr(at + 1, next == std::string::npos ? std::string::npos : next - at - 1)), whole);
    value = text[at] == '*' ? value * factor : value / factor;
    at = next;
  }
  value *= is_negative_pi ? -unit : unit;
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("`{}` in {} is not finite", text, whole));
  return value;
}

Vary one_grid(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto refuse = [&](const std::string& why) -> std::invalid_argument {
    return std::invalid_argument(
        fmt::format("{}: a grid is NAME=LOW:HIGH:COUNT, as in m[1]=0.5:2:100, got {}", why, text));
  };
  if (equals == std::string::npos || equals == 0) throw refuse("there is no name");
  const std::vector<std::string> parts = split_at(text.substr(equals + 1), ':');
  if (parts.size() != 3) throw refuse(fmt::format("{} parts", parts.size()));
  const double low = number_in(parts[0], text), high = number_in(parts[1], text), count = number_in(parts[2], text);
  if (!(count >= 1) || count != std::floor(count)) throw refuse("the count is no positive integer");
  if (count > 1e18) throw refuse("the count is more than 1e18");
  return grid(stripped(text.substr(0, equals)), low, high, static_cast<std::uint64_t>(count));
}

// One line of RFC 4180, without line breaks in fields.
std::vector<std::string> csv_fields(const std::string& line, const std::string& path, std::size_t at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      fields.back() += line[++k];
    else if (line[k] == '"')
      quoted = !quoted;
    else if (line[k] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[k];
  }
  if (quoted) throw std::invalid_argument(fmt::format("{}, line {}: a quotation mark is not closed", path, at));
  for (std::string& field : fields) field = stripped(field);
  return fields;
}

std::vector<double> csv_numbers(const std::string& line, std::size_t count, const std::string& path, std::size_t at) {
  const std::vector<std::string> fields = csv_fields(line, path, at);
  if (fields.size() != count)
    throw std::invalid_argument(
        fmt::format("{}, line {}: {} values, where the first line has {} names", path, at, fields.size(), count));
  std::vector<double> numbers;
  for (const std::string& field : fields) {
    const auto number = number_of(field);
    if (!number || !std::isfinite(*number))
      throw std::invalid_argument(
          fmt::format("{}, line {}: `{}` is not a finite number", path, at, field.substr(0, 40)));
    numbers.push_back(*number);
  }
  return numbers;
}

struct CallText {
  std::string name;
  std::vector<std::string> arguments;
};

CallText call_in(const std::string& text, const std::string& whole) {
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.back() != ')')
    throw std::invalid_argument(fmt::format(
        "a sample is NAME ~ DISTRIBUTION, as in 'l ~ normal(1, 0.01)' or 'start.q ~ cap(20 deg)', got {}", whole));
  return {stripped(text.substr(0, open)), split_at(text.substr(open + 1, text.size() - open - 2), ',')};
}

Distribution cap_of(const std::string& name, double angle, const ModelFile& file, const System& system) {
  if (!is_start_name(name))
    throw std::invalid_argument(
        fmt::format("{} is a parameter, and a cap is for a point of the start: start.q ~ cap(20 deg)", name));
  const StartName start = start_name(file.model, name);
  if (start.kind != StartName::Kind::point || start.entry >= 0)
    throw std::invalid_argument(fmt::format("{} is no point: a cap is around that of a coordinate", name));
  std::vector<std::string> remarks;
  const State state = start_state(file, system, remarks);
  Eigen::Index offset = 0;
  for (std::size_t k = 0; k < start.coordinate; ++k) offset += file.model.coordinates()[k].space.ambient();
  const Manifold& space = file.model.coordinates()[start.coordinate].space;
  return cap(space, state.q.segment(offset, space.ambient()), angle);
}

// The slots of all parameters that a formula is made from, also by way of others.
void add_parameters_of(const Formula& formula, const Model& model, std::set<int>& slots) {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::symbol && node.symbol.role == Role::parameter && slots.insert(node.symbol.slot).second)
    if (const auto& origin = model.origin(static_cast<std::size_t>(node.symbol.slot)); origin.formula)
      add_parameters_of(*origin.formula, model, slots);
  if (!formula.depends_on(Role::parameter)) return;
  for (const Formula& argument : node.args) add_parameters_of(argument, model, slots);
}

}  // namespace

void need_steady_centre(const ModelFile& file, const std::string& name, const Vary& vary) {
  const auto& point = file.start.coordinates[start_name(file.model, name).coordinate].point;
  if (!point || !point->formula) return;
  std::set<int> slots;
  add_parameters_of(*point->formula, file.model, slots);
  for (const Varied& varied : vary.quantities()) {
    if (is_start_name(varied.name)) continue;
    if (slots.contains(static_cast<int>(file.model.place_of_parameter(varied.name).slot)))
      throw std::invalid_argument(fmt::format(
          "the cap of {0} is around the start of the model file, which follows {1}, and {1} varies: give the start in "
          "numbers (--start {2}=...), or leave one of the two as it is",
          name, varied.name, name.substr(name.find('.') + 1)));
  }
}

Vary varied_grid(const std::string& text) {
  Vary result;
  if (stripped(text).empty()) throw std::invalid_argument("what varies? NAME=LOW:HIGH:COUNT");
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = comma_after(text, begin);
    const Vary one = one_grid(stripped(text.substr(begin, end - begin)));
    result = begin == 0 ? one : zip(result, one);
  }
  return result;
}

Vary varied_list(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  constexpr std::size_t most_numbers = 100'000'000, longest_line = 1'000'000;
  std::vector<std::string> names;
  std::vector<double> numbers;
  std::size_t at = 0, rows = 0;
  for (std::string line; std::getline(stream, line);) {
    if (++at == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.size() > longest_line || line.find('\0') != std::string::npos)
      throw std::invalid_argument(fmt::format("{}, line {}: this is no text of comma-separated values", path, at));
    if (stripped(line).empty()) continue;
    if (names.empty()) {
      names = csv_fields(line, path, at);
      if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); }) ||
          std::all_of(names.begin(), names.end(), [](const std::string& name) { return number_of(name).has_value(); }))
        throw std::invalid_argument(
            fmt::format("{}, line {}: the first line has the names of what varies, as in m,start.x", path, at));
      continue;
    }
    const std::vector<double> row = csv_numbers(line, names.size(), path, at);
    numbers.insert(numbers.end(), row.begin(), row.end());
    ++rows;
    if (numbers.size() > most_numbers)
      throw std::invalid_argument(fmt::format("{} has more than {} numbers: take it in parts", path, most_numbers));
  }
  if (!stream.eof()) throw std::runtime_error(fmt::format("cannot read {}: it is no file", path));
  if (rows == 0)
    throw std::invalid_argument(fmt::format("{} has no members: a line of names, then lines of numbers", path));
  const Eigen::Map<const MemberRows> table(numbers.data(), static_cast<Eigen::Index>(rows),
                                           static_cast<Eigen::Index>(names.size()));
  return listed(names, table, "list");
}

std::pair<std::string, Distribution> sampled(const std::string& text, const ModelFile& file, const System& system) {
  const std::size_t tilde = text.find('~');
  const std::string name = stripped(text.substr(0, tilde));
  const CallText call =
      call_in(tilde == std::string::npos || name.empty() ? "" : stripped(text.substr(tilde + 1)), text);
  const std::vector<std::string> known{"normal", "uniform", "lognormal", "cap"};
  const std::size_t wanted = call.name == "cap" ? 1 : 2;
  if (std::find(known.begin(), known.end(), call.name) == known.end())
    throw std::invalid_argument(fmt::format("there is no distribution {}; there are {}{}", call.name,
                                            fmt::join(known, ", "), suggestion(call.name, known)));
  if (call.arguments.size() != wanted)
    throw std::invalid_argument(
        fmt::format("{} needs {}, got {}", call.name, wanted == 1 ? "an angle" : "two numbers", text));
  std::vector<double> numbers;
  for (const std::string& argument : call.arguments) numbers.push_back(number_in(argument, text));
  if (call.name == "cap") return {name, cap_of(name, numbers[0], file, system)};
  if (call.name == "normal") return {name, normal(numbers[0], numbers[1])};
  if (call.name == "uniform") return {name, uniform(numbers[0], numbers[1])};
  return {name, lognormal(numbers[0], numbers[1])};
}

}  // namespace hamel
