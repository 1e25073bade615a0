// Writes the record of a run, so that nothing that has been written is ever lost.
//
//   RecordWriter record("run.h5", header);
//   record.append(sample);                 // in memory
//   record.commit(savepoint);              // all rows so far are on disk, and can be resumed from here
//
// The file is created by the first commit, complete or not at all. From then on it can be read at any moment, by any
// program, whether the writer lives or was killed (`kill -9`). When the disk is full, what has been committed stays.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "hamel/record/header.hpp"
#include "hamel/record/sample.hpp"
#include "hamel/record/savepoint.hpp"

namespace hamel {

// A record that cannot be written any further; its message says why and what was kept.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RecordWriter {
 public:
  // Refuses a file that exists, unless it may be replaced, and a folder that cannot be written to.
  RecordWriter(const std::string& path, const RecordHeader& header, bool overwrite = false);
  RecordWriter(RecordWriter&&) noexcept;
  RecordWriter& operator=(RecordWriter&&) noexcept;
  ~RecordWriter();

  // To go on with an undamaged record of the same run (need_same_run), from its last savepoint.
  // Its last bits depend on processor, compiler, flags and libm; others are refused unless asked for.
  static RecordWriter resume(const std::string& path, const RecordHeader& header, const State& start,
                             bool on_another_machine = false);
  const Savepoint& savepoint() const;  // the last one

  void set_tier(const std::string& tier);  // before the first commit
  void append(const Sample& sample);
  void commit(const Savepoint& savepoint);       // the rows so far, and where the run stands after them
  void fail(const Savepoint::Failure& failure);  // the rows so far, which no savepoint belongs to

  std::size_t rows() const;           // so far
  std::size_t bytes_waiting() const;  // for the next flush
  std::string kept() const;           // "the first 120 rows, up to t = 11.9, are in run.h5"

 private:
  class File;
  explicit RecordWriter(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace hamel
