// What a record says about the run that it holds: enough to understand it without anything else.
//
//   RecordHeader header{.model_text = text, .units = {{"time", "s"}, {"q", "m"}}};       // what only the caller knows
//   complete(header, system, method, momenta, outputs);                                  // all the rest
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamel/integrate/method.hpp"
#include "hamel/mechanics/system.hpp"
#include "hamel/model/name_list.hpp"
#include "hamel/symmetry/noether.hpp"

namespace hamel {

// An expression of the user's to be recorded: a scalar, a vector or a matrix.
using Output = Model::Named;

constexpr int record_format = 2;  // what is written; 1, without checksums, can be read

struct RecordHeader {
  struct Coordinate {
    std::string name, space;
    int offset, rows, cols;  // where it begins in q, and its shape, column by column
  };
  struct Momentum {
    std::string name, formula;
    bool exact_for_variational;
  };
  struct Named {
    std::string name, formula;
    int rows, cols;
    int size() const { return rows * cols; }
  };

  std::string model_text = {};                    // the model file
  std::map<std::string, std::string> units = {};  // of "time", parameters, coordinates and outputs, where given

  std::string model_name = {}, space = {}, hamel_version = {};
  int degrees_of_freedom = 0;
  std::vector<Parameter> parameters = {};
  std::vector<Coordinate> coordinates = {};
  std::vector<std::string> q_names = {}, v_names = {};  // of every component: q[1].x, q'[1].x
  std::vector<std::string> constraints = {};
  std::vector<Momentum> momenta = {};
  std::vector<Named> outputs = {};
  std::vector<std::string> undecided = {};  // what the search for conserved momenta could not tell
  std::vector<std::string> conserved = {};  // names of all components of what is claimed to be conserved

  std::string integrator = {};  // "gauss8"
  std::vector<Setting> settings = {};
  std::string tier = "interpreted";  // or native
  bool has_energy = true;            // first-order systems have none
  bool energy_conserved = true;
  std::string energy_name = "energy";  // what the total is called, sample.hpp
  double start = 0, until = 0, every = 0;
  int halvings = 0;
  std::map<std::string, std::string> machine = {};  // processor, compiler, flags, libm: what the last bits depend on
  int format = record_format;                       // of the file
};

void complete(RecordHeader& header, const System& system, const Method& method,
              const std::vector<ConservedMomentum>& momenta, const std::vector<Output>& outputs);

// "Jacobi integral" where the kinetic energy is quadratic in the rates but not purely (rotating frames), so that not
// T + U is an invariant but v.L_v - L; otherwise "energy".
std::string energy_name(const System& system);

// Refuses to continue the run of `recorded` as if it were the run `wanted`; says what differs.
void need_same_run(const RecordHeader& recorded, const RecordHeader& wanted, const std::string& path);
void need_same_machine(const RecordHeader& recorded, const RecordHeader& wanted, const std::string& path);

std::uint64_t checksum_of(const RecordHeader& header);

}  // namespace hamel
