#include "hamel/record/file_run.hpp"

#include <algorithm>

namespace hamel {

RunSection changed(RunSection run, const RunChanges& changes) {
  if (!changes.integrator.empty()) run.integrator = changes.integrator;
  if (changes.step > 0) {
    run.step = changes.step;
    run.tolerance = 0;
  }
  const MethodInfo* method = find_method(run.integrator);
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

}  // namespace hamel
