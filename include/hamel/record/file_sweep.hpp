// The sweep that a model file and a few words describe: what `hamel sweep` does.
//
//   SweepRequest request{.vary = {"m[1]=0.5:2:100"}, .keep = {"final", "max(height)"}};
//   const ModelFile file = read_model("my.toml", {}, {}, formulas_asked(request));
//   const FileSweep sweep(file, request);
//   ensemble(sweep.members(), sweep.vary(), sweep.keep(), {}, sink);
//
// What is kept: final (the state), energy and momenta (how far they drift), and of an output or a formula F: F or
// end(F), max(F), min(F), mean(F), drift(F), series(F). An event is NAME=F, which happens where F is zero, or
// NAME=rising(F), NAME=falling(F). Nothing said: the final state and the outputs at the end.
#pragma once

#include <string>
#include <vector>

#include "hamel/language/varied_model.hpp"
#include "hamel/record/file_run.hpp"
#include "hamel/record/sweep_file.hpp"

namespace hamel {

struct SweepRequest {
  Vary given = {};  // each with each of what the texts say
  std::vector<std::string> vary = {}, lists = {}, samples = {};
  std::uint64_t members = 0;  // of samples
  SampleOptions sampling = {};
  std::vector<std::string> keep = {}, events = {}, stops = {};
  RunChanges run = {};
};

// The formulas that the model file is to be read with.
std::vector<std::string> formulas_asked(const SweepRequest& request);

class FileSweep {
 public:
  FileSweep(const ModelFile& file, const SweepRequest& request);  // the file must outlive it

  const Members& members() const { return *members_; }
  const Vary& vary() const { return vary_; }
  const Keep& keep() const { return keep_; }
  const SweepHeader& header() const { return header_; }

 private:
  void make_vary(const ModelFile& file, const SweepRequest& request, const System& system);
  void make_keep(const ModelFile& file, const SweepRequest& request, const System& system);
  void keep_formula(const ModelFile& file, const std::string& text);
  void keep_event(const ModelFile& file, const std::string& text, bool terminal);
  void make_header(const ModelFile& file, const SweepRequest& request);

  std::optional<Members> members_;
  Vary vary_;
  std::vector<std::string> lists_;  // for the header: their numbers of members and checksums
  Keep keep_;
  SweepHeader header_;
};

}  // namespace hamel
