// The file of a sweep: what varied and what was kept, a row for each member, in HDF5; docs/sweeps.md describes it.
//
//   SweepWriter file("sweep.h5", header);
//   file.append(chunk);                     // in memory
//   file.commit(seconds, finished);         // all rows so far are on disk, and can be resumed from
//
// As records are, it is readable whenever its writer is killed, and keeps what was committed when the disk is full.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hamel/ensemble/ensemble.hpp"

namespace hamel {

struct SweepHeader {
  std::string model_text = {}, model_name = {}, hamel_version = {};
  // All that the numbers depend on beside the model file, for people and to compare: {"integrator", "rk4, step = 0.1"}.
  std::vector<std::pair<std::string, std::string>> settings = {};
  std::vector<std::string> varied = {};      // columns
  std::vector<std::string> quantities = {};  // what varies, one or more columns each, and how: "m", "0.5:2:100"
  std::vector<std::string> vary_texts = {};
  std::vector<KeptColumn> kept = {};
  std::uint64_t members = 0;
  std::vector<std::uint64_t> sides = {};  // of a grid
  std::map<std::string, std::string> machine = {};

  std::size_t kept_width() const;
};

// Does the file say that it is one? Refuses what is no HDF5.
bool is_sweep_file(const std::string& path);

struct SweepRows {
  MemberRows varied, kept;
  std::vector<bool> failed;
};

class SweepReader {
 public:
  explicit SweepReader(const std::string& path);
  SweepReader(SweepReader&&) noexcept;
  SweepReader& operator=(SweepReader&&) noexcept;
  ~SweepReader();

  const SweepHeader& header() const;
  std::uint64_t rows() const;  // members that are done
  bool finished() const;
  double wall_seconds() const;
  const std::string& damage() const;  // what is not whole; empty where all is
  SweepRows read(std::uint64_t first, std::uint64_t count) const;
  std::uint64_t rows_at_once() const;  // as many as are good to read: about a megabyte
  // The first of them, as text for a terminal. Refuses those of members that did not fail.
  std::vector<MemberFailure> failures(std::uint64_t most = 1'000'000) const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

class SweepWriter {
 public:
  SweepWriter(const std::string& path, const SweepHeader& header, bool overwrite = false);
  // To go on with the file of the same sweep; refuses others, and other machines unless asked.
  static SweepWriter resume(const std::string& path, const SweepHeader& header, bool on_another_machine = false);
  SweepWriter(SweepWriter&&) noexcept;
  SweepWriter& operator=(SweepWriter&&) noexcept;
  ~SweepWriter();

  std::uint64_t rows() const;   // so far
  double wall_seconds() const;  // of the last commit
  std::size_t bytes_waiting() const;
  void append(const EnsembleChunk& chunk);
  void commit(double wall_seconds, bool finished);  // throws RecordError
  std::string kept() const;

 private:
  class File;
  explicit SweepWriter(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace hamel
