#include "hamel/report/columns.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hamel/mechanics/geometry.hpp"
#include "report/base64.hpp"
#include "report/coordinate_charts.hpp"

namespace hamel {

namespace {

class ColumnList {
 public:
  ColumnList(const Record& record, const ModelFile& file, const System& system)
      : record_(record), file_(file), system_(system) {}

  nlohmann::ordered_json all() {
    const RecordHeader& header = record_.header;
    const Rows& rows = record_.rows;
    add("t", unit_of(header, "time"), rows.time);
    for (std::size_t k = 0; k < header.q_names.size(); ++k) add(header.q_names[k], "", nth(rows.q, k));
    for (std::size_t k = 0; k < header.v_names.size(); ++k) add(header.v_names[k], "", nth(rows.v, k));
    for (int k = 0; k < system_.geometry().factors(); ++k) add_turning(k);
    if (header.has_energy) {
      add("kinetic energy", unit_of(header, "energy"), rows.kinetic);
      add("potential energy", unit_of(header, "energy"), rows.potential);
      add(header.energy_name, unit_of(header, "energy"), rows.total);
    }
    for (std::size_t k = 0; k < header.momenta.size(); ++k) add(header.momenta[k].name, "", nth(rows.momenta, k));
    for (std::size_t k = 0; k < header.outputs.size(); ++k) add_output(header.outputs[k], rows.outputs[k]);
    return std::move(columns_);
  }

 private:
  static VectorXd nth(const RowMatrix& matrix, std::size_t k) { return matrix.col(static_cast<Eigen::Index>(k)); }

  void add(const std::string& name, const std::string& unit, const VectorXd& values) {
    if (values.size() != record_.rows.time.size()) return;
    const std::vector<double> list(values.begin(), values.end());
    columns_.push_back({{"name", name}, {"unit", unit}, {"values", {{"f64", base64_numbers(list)}}}});
  }

  void add_turning(int k) {
    const Geometry& geometry = system_.geometry();
    const Manifold& space = geometry.space(k);
    const std::string& name = file_.model.coordinates()[static_cast<std::size_t>(k)].name;
    const auto at = Eigen::seq(geometry.offset(k), geometry.offset(k + 1) - 1);
    const int count = space.angular_rates();
    if (count == 0) return;
    const Rows& rows = record_.rows;
    MatrixXd omega(rows.time.size(), count);
    VectorXd xi(space.rates());
    for (Eigen::Index i = 0; i < omega.rows(); ++i) {
      const VectorXd q = rows.q(i, at), v = rows.v(i, at);
      space.rates(q, v, xi);
      omega.row(i) = xi.head(count);
    }
    if (space.turning() == Turning::plane) {
      const VectorXd x = rows.q.col(geometry.offset(k)), y = rows.q.col(geometry.offset(k) + 1);
      const std::vector<double> angle = unwrapped(x, y, omega.col(0), rows.time);
      add("angle of " + name, "rad", Eigen::Map<const VectorXd>(angle.data(), x.size()));
    }
    for (int j = 0; j < count; ++j)
      add(count == 1 ? fmt::format("omega.{}", name) : fmt::format("omega.{}[{}]", name, j + 1), "", omega.col(j));
  }

  void add_output(const RecordHeader::Named& output, const RowMatrix& values) {
    const std::vector<std::string> names = component_names(output.name, output.rows, output.cols);
    for (std::size_t k = 0; k < names.size(); ++k) add(names[k], unit_of(record_.header, output.name), nth(values, k));
  }

  const Record& record_;
  const ModelFile& file_;
  const System& system_;
  nlohmann::ordered_json columns_ = nlohmann::ordered_json::array();
};

}  // namespace

std::string columns_data(const Record& record, const ModelFile& file, const System& system) {
  return ColumnList(record, file, system).all().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace hamel
