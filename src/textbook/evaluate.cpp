#include "hamel/textbook/evaluate.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>

#include "hamel/graph/functions.hpp"
#include "hamel/linear/dense.hpp"
#include "hamel/linear/product.hpp"

namespace hamel {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

MatrixXd scalar(double x) { return MatrixXd::Constant(1, 1, x); }

MatrixXd hat_of(const MatrixXd& w) { return Matrix3d{{0, -w(2), w(1)}, {w(2), 0, -w(0)}, {-w(1), w(0), 0}}; }

MatrixXd vee_of(const MatrixXd& A) { return Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)) / 2; }

double value_of(const std::string& function, double x, double y) {
  const FunctionRow* row = find_function(function);
  if (row == nullptr) throw std::invalid_argument("unknown function " + function);
  return apply(row->op, x, y);
}

// A symbol has its own name, whatever point it is.
std::string own_name(const Formula& formula) {
  const Formula::Node& node = formula.node();
  if (node.kind == Kind::symbol) return node.symbol.name;
  if (node.kind != Kind::rate || node.args[0].node().kind != Kind::symbol) return formula.to_string();
  const std::string& name = node.args[0].node().symbol.name;
  const std::size_t index = std::min(name.find('['), name.size());
  return name.substr(0, index) + "'" + name.substr(index);
}

class Evaluation {
 public:
  explicit Evaluation(const FormulaValues& values) : values_(values) {}

  MatrixXd of(const Formula& formula) const {
    const Formula::Node& node = formula.node();
    const auto arg = [&](std::size_t k) { return of(node.args[k]); };
    switch (node.kind) {
      case Kind::number:
        return node.value;
      case Kind::symbol:
      case Kind::rate:
      case Kind::angular_velocity:
        return value(formula);
      case Kind::add:
        return arg(0) + arg(1);
      case Kind::subtract:
        return arg(0) - arg(1);
      case Kind::negate:
        return -arg(0);
      case Kind::multiply:
        return product(arg(0), arg(1));
      case Kind::divide:
        return arg(0) / arg(1)(0, 0);
      case Kind::power:
        return scalar(std::pow(arg(0)(0, 0), arg(1)(0, 0)));
      case Kind::function:
        return scalar(value_of(node.function, arg(0)(0, 0), node.args.size() > 1 ? arg(1)(0, 0) : 0));
      case Kind::dot:
        return scalar(arg(0).col(0).dot(arg(1).col(0)));
      case Kind::cross:
        return Vector3d(arg(0)).cross(Vector3d(arg(1)));
      case Kind::norm:
        return scalar(arg(0).norm());
      case Kind::squared_norm:
        return scalar(arg(0).squaredNorm());
      case Kind::hat:
        return hat_of(arg(0));
      case Kind::vee:
        return vee_of(arg(0));
      case Kind::turn:
        return Eigen::AngleAxisd(arg(1)(0, 0), Vector3d(arg(0)).normalized()).toRotationMatrix();
      case Kind::transpose:
        return arg(0).transpose();
      case Kind::trace:
        return scalar(arg(0).trace());
      case Kind::determinant:
        return scalar(linear::determinant(arg(0)));
      case Kind::component:
        return scalar(arg(0)(node.i, node.j));
      case Kind::block:
        return block(formula);
      case Kind::stack:
        return stacked(node);
      case Kind::less:
        return scalar(arg(0)(0, 0) < arg(1)(0, 0) ? 1 : 0);
      case Kind::less_equal:
        return scalar(arg(0)(0, 0) <= arg(1)(0, 0) ? 1 : 0);
      case Kind::select:
        return arg(0)(0, 0) != 0 ? arg(1) : arg(2);
    }
    throw std::logic_error("a formula of unknown kind");
  }

 private:
  MatrixXd value(const Formula& formula) const {
    const std::string name = own_name(formula);
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::invalid_argument(fmt::format("{} has no value; give it one", name));
    if (found->second.rows() != formula.rows() || found->second.cols() != formula.cols())
      throw std::invalid_argument(fmt::format("the value of {} must be {}x{}, not {}x{}", name, formula.rows(),
                                              formula.cols(), found->second.rows(), found->second.cols()));
    return found->second;
  }

  // Parts of a pose have values of their own, if given.
  MatrixXd block(const Formula& formula) const {
    if (const auto found = values_.find(formula.to_string()); found != values_.end()) return found->second;
    const Formula::Node& node = formula.node();
    return of(node.args[0]).block(node.i, node.j, node.rows, node.cols);
  }

  MatrixXd stacked(const Formula::Node& node) const {
    MatrixXd result(node.rows, node.cols);
    Eigen::Index next = 0;
    for (const Formula& part : node.args) {
      const MatrixXd numbers = of(part);
      for (const double x : numbers.reshaped()) result(next++) = x;
    }
    return result;
  }

  static MatrixXd product(const MatrixXd& a, const MatrixXd& b) {
    if (a.size() == 1) return a(0, 0) * b;
    if (b.size() == 1) return a * b(0, 0);
    return a * b;
  }

  const FormulaValues& values_;
};

}  // namespace

Eigen::MatrixXd evaluate(const Formula& formula, const FormulaValues& values) { return Evaluation(values).of(formula); }

}  // namespace hamel
