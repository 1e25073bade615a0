// A model that has been lowered, once: everything that is derived from it is a function of its formulation.
//
//   const Sheet sheet(model);                                      // a graph to derive something in
//   Kernel energy("energy", {sheet.lowered.q, ...}, {...}, sheet.parameters);
//
// The graph of a formulation stays as it is. Each family of kernels is derived in a graph of its own that begins with
// it, so that its bits do not depend on what was derived before, threads do not meet, and memory goes back.
#pragma once

#include <memory>
#include <utility>

#include "hamel/derive/kernel.hpp"
#include "hamel/model/lower.hpp"

namespace hamel {

struct Formulation {
  explicit Formulation(const Model& model);

  Graph graph;
  LoweredModel lowered;
};
// Made when it is first asked for; copies of the model share it, also those with other parameters.
std::shared_ptr<const Formulation> formulation(const Model& model);

// A graph that begins with the formulation of a model: the current one while it lives.
class Sheet {
 public:
  explicit Sheet(const Model& model)
      : formulation_(formulation(model)),
        graph_(&formulation_->graph),
        scope_(graph_),
        lowered(formulation_->lowered),
        parameters{lowered.parameters, parameter_values(model)} {}

 private:
  std::shared_ptr<const Formulation> formulation_;
  Graph graph_;
  Graph::Scope scope_;

 public:
  LoweredModel lowered;
  Parameters parameters;
};

}  // namespace hamel
