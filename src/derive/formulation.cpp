#include "hamel/derive/formulation.hpp"

#include <mutex>

namespace hamel {

namespace {

LoweredModel lowered_in(Graph& graph, const Model& model) {
  const Graph::Scope scope(graph);
  return lower(model);
}

}  // namespace

Formulation::Formulation(const Model& model) : lowered(lowered_in(graph, model)) { graph.freeze(); }

std::shared_ptr<const Formulation> formulation(const Model& model) {
  static std::mutex mutex;  // of all models, for a moment
  const std::size_t size = model.size();
  {
    const std::scoped_lock guard(mutex);
    if (model.formulation_ != nullptr && model.formulated_size_ == size) return model.formulation_;
  }
  auto made = std::make_shared<const Formulation>(model);
  const std::scoped_lock guard(mutex);
  model.formulation_ = made;
  model.formulated_size_ = size;
  return made;
}

}  // namespace hamel
