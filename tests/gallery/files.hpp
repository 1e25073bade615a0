// Models of models/, with parameters of one's own.
//
//   const Model pendulum = from_gallery("spherical-pendulum", {{"m", 1.2}, {"l", 0.9}});
#pragma once

#include <hamel/language/model_file.hpp>
#include <string>
#include <vector>

namespace hamel::test {

std::string gallery_folder();
std::vector<std::string> gallery_ids();  // of all models of the folder, in order
ModelFile gallery_model(const std::string& id, const Overrides& overrides = {});
std::string test_name(std::string id);  // GoogleTest takes no dashes

struct Setting {
  Setting(std::string parameter, double number);
  Setting(std::string parameter, const MatrixXd& numbers);
  template <class Derived>
  Setting(std::string parameter, const Eigen::MatrixBase<Derived>& numbers)
      : Setting(std::move(parameter), MatrixXd(numbers)) {}
  std::string name, value;
};
Model from_gallery(const std::string& id, const std::vector<Setting>& settings = {});

}  // namespace hamel::test
