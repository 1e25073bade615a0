#include "record/sweep_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "hamel/graph/escape.hpp"
#include "record/checksum.hpp"

namespace hamel {
namespace {

using namespace hdf5;

constexpr int sweep_format = 1;
constexpr std::size_t most_kept = 100'000'000;

std::uint64_t sweep_header_checksum(const SweepHeader& header) {
  Checksum sum;
  sum.add(header.model_text), sum.add(header.model_name), sum.add(header.hamel_version);
  for (const auto& [name, value] : header.settings) sum.add(name), sum.add(value);
  for (const auto* names : {&header.varied, &header.quantities, &header.vary_texts}) {
    sum.add(std::uint64_t{names->size()});
    for (const std::string& name : *names) sum.add(name);
  }
  for (const auto& [name, size] : header.kept) sum.add(name), sum.add(std::uint64_t{size});
  sum.add(header.members);
  for (const std::uint64_t side : header.sides) sum.add(side);
  for (const auto& [name, value] : header.machine) sum.add(name), sum.add(value);
  return sum.value();
}

std::vector<double> as_numbers(const auto& counts) { return {counts.begin(), counts.end()}; }

std::uint64_t count_in(double number, const char* what) {
  constexpr double largest = 9e15;  // that a double tells apart
  if (!(number >= 0 && number <= largest) || number != std::floor(number))
    throw std::runtime_error(fmt::format("{} is {}, which is no count", what, number));
  return static_cast<std::uint64_t>(number);
}

void need_sweep_shape(const SweepHeader& header) {
  if (header.kept.empty() || header.kept_width() > most_kept || header.varied.size() > most_kept)
    throw std::runtime_error("what was kept is nothing, or more than a sweep can have");
  if (header.quantities.size() != header.vary_texts.size())
    throw std::runtime_error("/sweep/quantities and /sweep/vary do not fit together");
  std::uint64_t product = 1;
  for (const std::uint64_t side : header.sides)
    if (side == 0 || (product *= side) > header.members)
      throw std::runtime_error("/sweep/sides are not those of its members");
}

}  // namespace

std::size_t SweepHeader::kept_width() const {
  std::size_t width = 0;
  for (const KeptColumn& column : kept) width += column.size;
  return width;
}

std::vector<Column> sweep_columns(const SweepHeader& header) {
  std::vector<Column> all;
  all.push_back(
      {"varied", "what varied, a row for each member: /sweep/varied has the names", "", header.varied.size(), false});
  all.push_back({"kept",
                 "what was kept, a row for each member: /sweep/kept has the names, /sweep/kept_sizes how many "
                 "columns each has",
                 "", header.kept_width(), false});
  all.push_back({"failed", "1 where the member failed: what is kept of it is what was known then", "", 1, true, true});
  all.push_back({"checksum", "of each row, see docs/records.md", "", 1, true, true});
  all.push_back({"failures", "for each member that failed: its number, then why, as 512 bytes of text", "",
                 failure_words, false, true});
  return all;
}

void write_sweep_header(hid_t file, const SweepHeader& header) {
  write_attribute(file, "format", std::string(sweep_format_name));
  write_attribute(file, "format_version", static_cast<long long>(sweep_format));
  write_attribute(file, "header_checksum", sweep_header_checksum(header));
  write_attribute(file, "hamel_version", header.hamel_version);
  const Handle model = create_group(file, "model");
  write_attribute(model, "name", header.model_name);
  write_text(model, "text", header.model_text);
  const Handle sweep = create_group(file, "sweep");
  write_attribute(sweep, "members", static_cast<double>(header.members));
  std::vector<std::string> names, values, kept;
  std::vector<double> sizes;
  for (const auto& [name, value] : header.settings) names.push_back(name), values.push_back(value);
  for (const auto& [name, size] : header.kept) kept.push_back(name), sizes.push_back(static_cast<double>(size));
  write_texts(sweep, "setting_names", names);
  write_texts(sweep, "setting_values", values);
  write_texts(sweep, "varied", header.varied);
  write_texts(sweep, "quantities", header.quantities);
  write_texts(sweep, "vary", header.vary_texts);
  write_texts(sweep, "kept", kept);
  write_numbers(sweep, "kept_sizes", {{sizes.size()}, sizes});
  write_numbers(sweep, "sides", {{header.sides.size()}, as_numbers(header.sides)});
  const Handle machine = create_group(file, "machine");
  for (const auto& [name, text] : header.machine) write_attribute(machine, name, text);
}

SweepHeader read_sweep_header(hid_t file) {
  if (!has_format(file, sweep_format_name))
    throw std::runtime_error("this is not the file of a sweep: hamel sweep --out writes such files");
  if (const int version = read_integer_attribute(file, "format_version"); version != sweep_format)
    throw std::runtime_error(
        fmt::format("this is version {} of the files of sweeps; this hamel reads {}", version, sweep_format));
  SweepHeader header;
  header.hamel_version = read_text_attribute(file, "hamel_version");
  const Handle model = open_group(file, "model"), sweep = open_group(file, "sweep");
  header.model_name = read_text_attribute(model, "name");
  header.model_text = read_text(model, "text");
  header.members = count_in(read_finite_attribute(sweep, "members"), "the number of members");
  const auto names = read_texts(sweep, "setting_names"), values = read_texts(sweep, "setting_values");
  const auto kept = read_texts(sweep, "kept");
  const std::vector<double> sizes = read_numbers(sweep, "kept_sizes").values;
  if (names.size() != values.size() || kept.size() != sizes.size())
    throw std::runtime_error("/sweep: names and values do not fit together");
  for (std::size_t k = 0; k < names.size(); ++k) header.settings.emplace_back(names[k], values[k]);
  for (std::size_t k = 0; k < kept.size(); ++k)
    header.kept.push_back({kept[k], std::min<std::size_t>(count_in(sizes[k], "the size of a column"), most_kept + 1)});
  header.varied = read_texts(sweep, "varied");
  header.quantities = read_texts(sweep, "quantities");
  header.vary_texts = read_texts(sweep, "vary");
  for (const double side : read_numbers(sweep, "sides").values) header.sides.push_back(count_in(side, "a side"));
  const Handle machine = open_group(file, "machine");
  for (const std::string& name : attribute_names(machine)) header.machine[name] = read_text_attribute(machine, name);
  if (read_word_attribute(file, "header_checksum") != sweep_header_checksum(header))
    throw std::runtime_error("what it says about its sweep is damaged: it does not have its checksum");
  need_sweep_shape(header);
  return header;
}

void put_failure(std::vector<std::uint64_t>& words, const MemberFailure& failure) {
  const std::size_t begin = words.size(), bytes = (failure_words - 1) * sizeof(std::uint64_t);
  words.resize(begin + failure_words, 0);
  words[begin] = failure.member;
  std::memcpy(&words[begin + 1], failure.why.data(), std::min(failure.why.size(), bytes - 1));
}

namespace {

std::string visible_lines(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += (begin > 0 ? "\n" : "") + visible(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace

MemberFailure failure_of(const std::uint64_t* words) {
  const std::size_t bytes = (failure_words - 1) * sizeof(std::uint64_t);
  std::string text(bytes, '\0');
  std::memcpy(text.data(), words + 1, bytes);
  return {words[0], visible_lines(text.substr(0, text.find('\0')))};
}

std::uint64_t sweep_checksum(std::uint64_t member, const double* varied, std::size_t width, const double* kept,
                             std::size_t kept_width, bool failed) {
  Checksum sum;
  sum.add(member);
  sum.add(std::span(varied, width));
  sum.add(std::span(kept, kept_width));
  sum.add(std::uint64_t{failed ? 1U : 0U});
  return sum.value();
}

}  // namespace hamel
