// A run that goes into a file while it is computed.
#include "hamel/record/file_run.hpp"
#include "hamel/record/recorded_run.hpp"
#include "studio/session.hpp"

namespace hamel::studio {

Json Session::record(const Json& request, const std::string& path, const std::function<void(double)>& progress,
                     const std::atomic<bool>& stop) {
  const Beginning begun = beginning(request);
  RunSettings settings{.until = begun.section.until};
  settings.outputs = recorded_outputs(file());
  settings.conserved = file().conserved;
  settings.symmetries = symmetries();
  settings.path = path;
  settings.overwrite = request.value("overwrite", false);
  settings.stop = &stop;
  settings.progress = [&](const Progress& so_far) { progress(so_far.fraction); };
  const RunSummary summary = recorded_run(system(), begun.start, begun.method, settings, header_of(file()));
  return {{"rows", summary.outputs}, {"t", summary.final.t}, {"finished", summary.finished}};
}

}  // namespace hamel::studio
