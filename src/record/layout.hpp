// Where things are in the file of a record; docs/records.md describes it for readers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/record/header.hpp"
#include "hamel/record/savepoint.hpp"
#include "record/hdf5.hpp"

namespace hamel {

// A dataset with one row per output. Width 0: there is no such dataset in this record.
struct Column {
  std::string path, what, unit;
  std::size_t width;
  bool scalar;               // one dimension, not two
  bool is_checksum = false;  // integers, not numbers
};

// In this order: time, q, v, three energies, two errors, momenta, the checksum, then the user's outputs.
enum ColumnIndex : std::size_t {
  time_column,
  q_column,
  v_column,
  kinetic_column,
  potential_column,
  total_column,
  manifold_column,
  constraint_column,
  momenta_column,
  checksum_column,
  first_output_column
};
std::vector<Column> columns(const RecordHeader& header);

// The dataset of a column; closed, and without rows, where there is none.
struct OpenColumn {
  Column column;
  hdf5::Handle dataset;
  hsize_t rows = 0;
};
OpenColumn open_column(hid_t file, const Column& column);

constexpr const char* sweep_format_name = "hamel sweep";
bool has_format(hid_t file, const std::string& name);
void write_header(hid_t file, const RecordHeader& header);
RecordHeader read_header(hid_t file);

// Two places for savepoints, written in turn, so that one of them is always complete.
hdf5::Handle create_savepoints(hid_t file);
hdf5::Handle open_savepoints(hid_t file);
void write_savepoint(hid_t dataset, const Savepoint& savepoint, std::uint64_t number);
struct Savepoints {
  std::optional<NumberedSavepoint> newest;
  bool damaged = false;  // the other one; or it is being written, or was when its writer was killed
};
Savepoints read_savepoints(hid_t dataset, int format);

}  // namespace hamel
