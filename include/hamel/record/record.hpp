// Reads records, finished or not, while they are written or after their writer was killed.
//
//   Record record = read_record("run.h5");                          // all of it
//   Record record = read_record("run.h5", {.at_most = 2000});       // thinned, with its first and last row
//
//   RecordReader reader("run.h5");                                  // in constant memory
//   for (std::size_t k = 0; k < reader.rows(); k += 1000) reader.read(k, 1000) ...
//
// A reader looks at every row before it hands out the first. It has the rows before one that is damaged, and names that
// one; read_record("run.h5") is content only with all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamel/record/header.hpp"
#include "hamel/record/monitor.hpp"
#include "hamel/record/savepoint.hpp"

namespace hamel {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One row per output.
struct Rows {
  VectorXd time;
  RowMatrix q, v;
  VectorXd kinetic, potential, total;
  VectorXd manifold_error, constraint_error;  // the latter is empty where there are no constraints
  RowMatrix momenta;
  std::vector<RowMatrix> outputs;

  std::size_t size() const { return static_cast<std::size_t>(time.size()); }
};

struct Record {
  RecordHeader header;
  RunSummary summary;  // of the rows up to the last savepoint
  Rows rows;
};

class RecordReader {
 public:
  explicit RecordReader(const std::string& path);
  RecordReader(RecordReader&&) noexcept;
  RecordReader& operator=(RecordReader&&) noexcept;
  ~RecordReader();

  const RecordHeader& header() const;
  std::size_t rows() const;           // that are whole; at least one
  const std::string& damage() const;  // what is not, and why; empty where nothing is damaged
  void need_whole() const;            // refuses rows that are not
  void need_resumable() const;        // refuses those that a run cannot be continued from
  const Savepoint& savepoint() const;
  RunSummary summary() const;

  // At most so many rows: first, first + every, ...
  Rows read(std::size_t first, std::size_t count, std::size_t every = 1) const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
  std::string damage_;
};

// Which rows to take: each n-th, or as few as needed not to exceed a number; the last one in any case.
struct Thinning {
  std::size_t every = 1;
  std::size_t at_most = 0;  // 0: any number
};
Record read_record(const RecordReader& reader, Thinning thinning = {});  // of the rows that it has
Record read_record(const std::string& path, Thinning thinning = {});

}  // namespace hamel
