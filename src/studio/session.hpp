// What the page asks of hamel: one model at a time, its text, its parameters, its runs.
//
// Each answer is JSON, and web/client/types.ts says what is in it. A mistake is thrown, and studio.cpp makes an answer
// of it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "hamel/report/grasp.hpp"
#include "studio/live_run.hpp"

namespace hamel::studio {

using Json = nlohmann::ordered_json;

class Session {
 public:
  Json read(const Json& request);            // {text}: the model, its parameters, its run
  Json with(const Json& request);            // {parameters, start}: other values, another start
  Json grasp(const Json& request);           // {start, pull}: what can be grasped, and the start once it was pulled
  Json examine(const Json& request);         // momenta, claims, methods; needs a model that has been read
  Json equations(const Json& request);       // {form}
  Json code(const Json& request);            // {form}: a C function
  Json equilibria(const Json& request);      // a page with their modes
  Json begin(const Json& request);           // {run, integrator, step, tolerance, until, every}
  Json advance(const Json& request);         // {run, milliseconds}
  Json final(const Json& request);           // {run}: the last state
  std::string page(const Json& request);     // {run}: what the viewer shows
  std::string report(const Json& request);   // {run}: the same with the equations
  std::string columns(const Json& request);  // {run}: every number by its name
  Json end(const Json& request);             // {run}

  // As `hamel run --out` does, to this path (recording.cpp, where there are files).
  Json record(const Json& request, const std::string& path, const std::function<void(double)>& progress,
              const std::atomic<bool>& stop);

 private:
  struct Beginning {
    RunSection section;
    Method method;
    State start;
    std::vector<std::string> remarks;
  };
  Beginning beginning(const Json& request);
  const ModelFile& file() const;
  const System& system();  // derived when it is first asked for
  const NoetherReport& symmetries();
  LiveRun& run(const Json& request);
  const Grasp& holds();
  void change(const Json& parameters);
  StartValues start_with(const Json& entries);  // entries of [start], as of --start

  std::optional<ModelFile> as_read_, file_;  // with other parameters
  std::optional<System> as_derived_, system_;
  std::optional<NoetherReport> symmetries_;
  std::optional<Grasp> grasp_;
  Json changed_;  // parameters
  std::pair<Json, StartValues> last_start_;
  std::map<int, std::unique_ptr<LiveRun>> runs_;
};

}  // namespace hamel::studio
