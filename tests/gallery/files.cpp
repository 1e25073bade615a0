#include "gallery/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace hamel::test {
namespace {

std::string row_text(const MatrixXd& row) {
  return fmt::format("[{}]", fmt::join(row.data(), row.data() + row.size(), ", "));
}

// "[1, 2]" for a vector, "[[1, 2], [3, 4]]" for a matrix; all digits.
std::string text(const MatrixXd& value) {
  if (value.cols() == 1) return row_text(value);
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < value.rows(); ++i) rows.push_back(row_text(value.row(i)));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

}  // namespace

Setting::Setting(std::string parameter, double number) : name(std::move(parameter)), value(fmt::format("{}", number)) {}
Setting::Setting(std::string parameter, const MatrixXd& numbers) : name(std::move(parameter)), value(text(numbers)) {}

std::string gallery_folder() { return HAMEL_SOURCE_DIR "/models"; }

std::vector<std::string> gallery_ids() {
  std::vector<std::string> ids;
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder()))
    if (entry.path().extension() == ".toml") ids.push_back(entry.path().stem());
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string test_name(std::string id) {
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

ModelFile gallery_model(const std::string& id, const Overrides& overrides) {
  return read_model(gallery_folder() + "/" + id + ".toml", overrides);
}

Model from_gallery(const std::string& id, const std::vector<Setting>& settings) {
  Overrides overrides;
  for (const Setting& setting : settings) overrides.emplace_back(setting.name, setting.value);
  return gallery_model(id, overrides).model;
}

}  // namespace hamel::test
