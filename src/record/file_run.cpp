#include "hamel/record/file_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/model/file_text.hpp"

namespace hamel {

namespace {

// What is drawn is computed by the model from the numbers of the record.
void need_recorded_coordinates(const Model& model, const RecordHeader& header, const std::string& path) {
  std::size_t ambient = 0;
  bool same = model.coordinates().size() == header.coordinates.size();
  for (std::size_t k = 0; same && k < header.coordinates.size(); ++k) {
    const Coordinate& coordinate = model.coordinates()[k];
    same = coordinate.name == header.coordinates[k].name && coordinate.space.name() == header.coordinates[k].space;
    ambient += static_cast<std::size_t>(coordinate.space.ambient());
  }
  if (!same || ambient != header.q_names.size())
    throw std::runtime_error(fmt::format("{}: /q is not the configuration of its model", path));
}

}  // namespace

RunSection changed(RunSection run, const RunChanges& changes) {
  const bool is_another = !changes.integrator.empty() && changes.integrator != run.integrator;
  if (is_another) run.integrator = changes.integrator;
  if (changes.step > 0) {
    run.step = changes.step;
    run.tolerance = 0;
  }
  const MethodInfo* method = find_method(run.integrator);
  // The step of the file is that of its own method.
  if (is_another && changes.step == 0 && method != nullptr && method->chooses_without_step) run.step = 0;
  if (changes.tolerance > 0)
    run.tolerance = changes.tolerance;
  else if (method != nullptr && !method->takes_tolerance)
    run.tolerance = 0;
  if (changes.until > 0) run.until.t = changes.until;
  if (changes.every > 0) run.until.every = changes.every;
  if (changes.halvings >= 0) run.until.halvings = changes.halvings;
  return run;
}

std::vector<Output> recorded_outputs(const ModelFile& file) {
  std::vector<Output> outputs = file.outputs;
  for (std::size_t k = 0; k < file.model.inputs().size(); ++k) {
    const Input& input = file.model.inputs()[k];
    const auto is_it = [&](const Output& output) {
      return output.name == input.name || output.formula.to_string() == input.name;
    };
    if (input.law && std::none_of(outputs.begin(), outputs.end(), is_it))
      outputs.push_back({input.name, file.model.input_symbol(k)});
  }
  return outputs;
}

RecordHeader header_of(const ModelFile& file) {
  RecordHeader header{.model_text = file.text};
  for (const auto& [name, unit] : file.units) header.units[name == "t" ? "time" : name] = unit;
  return header;
}

ModelFile model_of(const RecordHeader& header, const std::string& path) {
  if (header.model_text.empty())
    throw std::runtime_error(fmt::format("{} does not contain its model file; it was not made by hamel run", path));
  ModelFile file = parse_model(header.model_text, path);
  Overrides changes;
  for (std::size_t k = 0; k < header.parameters.size() && k < file.model.parameters().size(); ++k) {
    const Parameter &recorded = header.parameters[k], &written = file.model.parameters()[k];
    if (recorded.value.rows() == written.value.rows() && recorded.value.cols() == written.value.cols() &&
        recorded.value == written.value)
      continue;
    changes.emplace_back(recorded.name, numbers_text(recorded.value));
  }
  if (!changes.empty()) file = parse_model(header.model_text, path, changes);
  need_recorded_coordinates(file.model, header, path);
  return file;
}

std::string run_text(const RunSection& run) {
  std::string text = fmt::format("\n[run]\nintegrator = \"{}\"\n", run.integrator);
  const auto add = [&](const char* name, double value) {
    if (value > 0) text += fmt::format("{} = {}\n", name, value);
  };
  add("step", run.step);
  add("until", run.until.t);
  add("every", run.until.every);
  add("halvings", run.until.halvings);
  add("tolerance", run.tolerance);
  return text;
}

}  // namespace hamel
