#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "console.hpp"
#include "describe.hpp"
#include "gallery.hpp"
#include "hamel/analyze/control.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/linear_page.hpp"
#include "hamel/report/words.hpp"
#include "large.hpp"
#include "modes.hpp"
#include "place.hpp"

namespace hamel::cli {

namespace {

struct LinearizeRequest : Options {
  std::string model, at;
  SteadyOptions steady;
  bool open = false;
};

ExaminedPlace examine_steady(const ModelFile& file, const System& system, const LinearizeRequest& request) {
  Equilibrium one = steady_motion_named(request.at, file, system, request.steady);
  return {one.name, std::move(one.linear), std::move(one.stability)};
}

ExaminedPlace examine_linear(const ModelFile& file, const System& system, const std::string& at) {
  const NamedPlace place = place_named(at, file, system);
  Examined found = examined(Linearization(system), place.state, place.moving);
  return {place.name, std::move(found.linear), std::move(found.stability)};
}

// Of each eigenvector, the real and the imaginary part of every entry of q.
Json shapes_json(const Eigen::MatrixXcd& shapes) {
  Json result = Json::array();
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const VectorXd re = shapes.col(j).real(), im = shapes.col(j).imag();
    result.push_back(
        {{"re", std::vector<double>(re.begin(), re.end())}, {"im", std::vector<double>(im.begin(), im.end())}});
  }
  return result;
}

Eigen::MatrixXcd shapes_of(const ExaminedPlace& found, const Eigenvalue& one) {
  return found.stability.sampled ? mode_shapes(found.linear, *found.stability.sampled, one)
                                 : mode_shapes(found.linear, one);
}

Json linear_json(const Model& model, const ExaminedPlace& found, const CharacteristicPolynomial& polynomial) {
  const LinearModel& linear = found.linear;
  const auto [A, B] = linear.first_order();
  Json point = Json::object();
  for (std::size_t k = 0; k < model.coordinates().size(); ++k)
    point[model.coordinates()[k].name] = matrix_json(part_of(model, linear.at.q, k));
  Json modes = Json::array();
  for (const Eigenvalue& one : found.stability.spectrum.values)
    if (one.value.imag() >= 0)
      modes.push_back({{"re", one.value.real()},
                       {"im", one.value.imag()},
                       {"frequency", one.frequency()},
                       {"damping_ratio", one.damping_ratio()},
                       {"multiplicity", one.algebraic},
                       {"shapes", shapes_json(shapes_of(found, one))}});
  Json result = {{"model", model.name()},
                 {"at", found.name},
                 {"point", point},
                 {"inputs", std::vector<double>(linear.inputs.begin(), linear.inputs.end())},
                 {"coordinates", entry_names(model)},
                 {"basis", rows_json(linear.basis)}};
  if (!linear.is_field)
    result.update({{"M", rows_json(linear.M)},
                   {"D", rows_json(linear.D)},
                   {"G", rows_json(linear.G)},
                   {"K", rows_json(linear.K)},
                   {"B", rows_json(linear.B)}});
  result["first_order"] = {{"A", rows_json(A)}, {"B", rows_json(B)}};
  if (!polynomial.values.empty())
    result["characteristic_polynomial"] = {{"symbols", polynomial.coefficients}, {"values", polynomial.values}};
  if (const auto& loop = found.stability.sampled)
    result["sampled"] = {{"interval", loop->interval},
                         {"gain", rows_json(loop->gain)},
                         {"step", rows_json(loop->step)},
                         {"eigenvalues", eigenvalues_json(loop->steps)}};
  result["modes"] = modes;
  result["stability"] = stability_json(found.stability);
  return result;
}

// In as many groups of columns as a line of 80 characters needs.
void print_matrix(const std::string& name, const MatrixXd& matrix) {
  if (matrix.size() == 0) return;
  const double small = 1e-11 * matrix.cwiseAbs().maxCoeff();
  constexpr Eigen::Index columns_at_a_time = 6;
  for (Eigen::Index first = 0; first < matrix.cols(); first += columns_at_a_time) {
    const Eigen::Index count = std::min(columns_at_a_time, matrix.cols() - first);
    say("\n{}{}\n", name,
        matrix.cols() > columns_at_a_time ? fmt::format(", columns {} to {}", first + 1, first + count) : "");
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      std::string line;
      for (Eigen::Index j = first; j < first + count; ++j)
        line += fmt::format("{:>12}", brief(std::abs(matrix(i, j)) <= small ? 0 : matrix(i, j), 5));
      say("{}\n", line);
    }
  }
}

// "Omega_R.y" where a coordinate of the linear model is a rate of a group, and nothing else.
std::string rate_text(const Model& model, const LinearModel& linear, const VectorXd& direction) {
  Eigen::Index begin = 0;
  std::string text;
  for (const Coordinate& coordinate : model.coordinates()) {
    const Manifold& space = coordinate.space;
    const VectorXd part = direction.segment(begin, space.ambient()), q = linear.at.q.segment(begin, space.ambient());
    begin += space.ambient();
    if (part.norm() < 1e-12) continue;
    if (!text.empty() || space.has_constraints() || space.rates() != space.dimension()) return "";
    VectorXd xi(space.rates());
    space.rates(q, part, xi);
    int first = 0;
    for (const RateName& rate : space.rate_names()) {
      for (int i = 0; i < rate.size; ++i) {
        VectorXd unit = VectorXd::Zero(xi.size());
        unit(first + i) = 1;
        if ((xi - unit).norm() < 1e-12)
          text = fmt::format("{}_{}.{}", rate.name, coordinate.name,
                             rate.size <= 3 ? std::string(1, "xyz"[i]) : std::to_string(i + 1));
      }
      first += rate.size;
    }
    if (text.empty()) return "";
  }
  return text;
}

// Which entries of q each coordinate of the linear model changes.
std::string direction_text(const std::vector<std::string>& names, const VectorXd& direction) {
  constexpr std::size_t widest = 66;
  std::string text;
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction(i)) < 1e-10) continue;
    const std::string next = fmt::format("{}{} {}", direction(i) < 0 ? "-" : "+", brief(std::abs(direction(i)), 4),
                                         names[static_cast<std::size_t>(i)]);
    if (text.size() + next.size() > widest) return text + " ...";
    text += (text.empty() ? "" : " ") + next;
  }
  return text;
}

void print_basis(const Model& model, const LinearModel& linear) {
  const std::vector<std::string> names = entry_names(model);
  say("\nbasis\n");
  for (Eigen::Index j = 0; j < linear.basis.cols(); ++j) {
    const std::string rate = rate_text(model, linear, linear.basis.col(j));
    say("  x{}: {}\n", j + 1, rate.empty() ? direction_text(names, linear.basis.col(j)) : rate);
  }
}

void print_modes(const Spectrum& spectrum) {
  say("\n");
  std::vector<std::vector<std::string>> rows = {{"eigenvalue", "rad/s", "damping ratio", "count", "block"}};
  const double small = 1e-9 * spectrum.rate;
  for (const Eigenvalue& one : spectrum.values) {
    if (one.value.imag() < -small) continue;
    const double re = std::abs(one.value.real()) <= small ? 0 : one.value.real();
    const double im = std::abs(one.value.imag()) <= small ? 0 : one.value.imag();
    rows.push_back({im == 0 ? brief(re, 8) : fmt::format("{}+-{}i", re == 0 ? "" : brief(re, 8), brief(im, 8)),
                    im == 0 ? "-" : brief(one.frequency(), 6),
                    im == 0 ? "-" : brief(re == 0 ? 0 : one.damping_ratio(), 4), std::to_string(one.algebraic),
                    std::to_string(one.largest_block)});
  }
  print_table(rows);
}

// Of small systems: in symbols where the point does not depend on them, otherwise prod (s - lambda) in numbers.
CharacteristicPolynomial characteristic_of(const System& system, const ExaminedPlace& found) {
  constexpr std::size_t most = 8;          // eigenvalues
  if (found.stability.sampled) return {};  // that of its step has other roots
  const std::vector<std::complex<double>> roots = found.stability.spectrum.all();
  if (roots.empty() || roots.size() > most) return {};
  if (auto symbols = characteristic_polynomial(system, found.linear)) return *symbols;
  std::vector<std::complex<double>> product = {1};
  for (const std::complex<double> root : roots) {
    product.insert(product.begin(), 0);
    for (std::size_t k = 0; k + 1 < product.size(); ++k) product[k] -= root * product[k + 1];
  }
  CharacteristicPolynomial result;
  for (std::size_t k = 0; k < product.size(); ++k) {
    const double size = std::pow(found.stability.spectrum.rate, static_cast<double>(product.size() - 1 - k));
    const double value = std::abs(product[k].real()) <= 1e-9 * size ? 0 : product[k].real();
    result.coefficients.push_back(brief(value, 8));
    result.values.push_back(value);
  }
  return result;
}

void print_characteristic(const CharacteristicPolynomial& polynomial) {
  if (polynomial.values.empty()) return;
  constexpr std::size_t longest = 240;
  say("\ncharacteristic polynomial\n");
  for (std::size_t k = polynomial.values.size(); k-- > 0;) {
    const std::string& text = polynomial.coefficients[k];
    if (text == "0") continue;
    say_paragraph(fmt::format("s^{}: {}", k,
                              text.size() <= longest ? text : brief(polynomial.values[k], 8) + " (symbols: --json)"));
  }
}

void print_sampled(const LinearModel& linear, const SampledLoop& loop) {
  say("\n");
  say_paragraph(fmt::format("the laws hold u - u0 = -K ({}) for {} at a time", linear.is_field ? "x" : "x, x'",
                            brief(loop.interval)));
  print_matrix("K of the laws", loop.gain);
  say("\n");
  say_paragraph("eigenvalues z of a step, as rates ln(z)/" + brief(loop.interval) + ":");
}

void print_linear(const Model& model, const ExaminedPlace& found, const CharacteristicPolynomial& polynomial) {
  const LinearModel& linear = found.linear;
  say("{}\n", linear.is_field ? "x' = A x + B u" : "M x'' + (D + G) x' + K x = B u");
  if (linear.inputs.size() > 0) say_paragraph("with the inputs " + inputs_text(*linear.at.model, linear.inputs));
  print_basis(model, linear);
  if (linear.is_field) {
    print_matrix("A", linear.first_order().A);
  } else {
    print_matrix("M", linear.M);
    for (const auto& [name, matrix] : {std::pair{"D", &linear.D}, std::pair{"G", &linear.G}})
      if (matrix->norm() > 1e-12 * (linear.D + linear.G).norm()) print_matrix(name, *matrix);
    print_matrix("K", linear.K);
  }
  print_matrix("B", linear.B);
  print_characteristic(polynomial);
  if (found.stability.sampled) print_sampled(linear, *found.stability.sampled);
  print_modes(found.stability.spectrum);
  for (const std::string& cause : found.stability.zero_modes) say_paragraph("zero: " + cause);
  if (!linear.has_forces)
    say("without forces eigenvalues come as +-: so they do, to {} of the largest\n",
        brief(found.stability.spectrum.pairing_error, 2));
  say("\n");
  say_paragraph(fmt::format("{}: {}", name(found.stability.verdict), found.stability.reason));
}

}  // namespace

void add_linearize(CLI::App& program) {
  const auto request = std::make_shared<LinearizeRequest>();
  CLI::App* command = add_command(program, "linearize", "the linear equations near an equilibrium, and their modes",
                                  "  hamel linearize furuta-pendulum --at hanging\n"
                                  "  hamel linearize furuta-pendulum --at hanging --report modes.html\n"
                                  "  hamel linearize chain-pendulum-on-cart --at=---++ --json",
                                  *request);
  add_model_argument(*command, request->model, *request);
  add_place_option(*command, request->at);
  add_steady_options(*command, request->steady);
  command->add_flag("--open", request->open, "without the laws of its inputs");
  add_report_option(*command, *request, "write a report with eigenvalues and moving modes to this HTML file");
  command->callback([request] {
    if (!request->report.empty()) need_output(request->report, request->overwrite, {model_path(request->model)});
    const ModelFile file = load_model(request->model, *request);
    const System system = derive(request->open ? file.model.open() : file.model);
    if (system.degrees_of_freedom() > largest_dense && request->steady.is_rest() && request->steady.inputs.empty()) {
      if (!request->report.empty())
        throw UsageError(fmt::format("a report shows all modes, of at most {} degrees of freedom", largest_dense));
      const NamedPlace place = place_named(request->at, file, system);
      return show_large_model(file.model, place.name, sparse_linear_model(system, place.state), request->json);
    }
    const ExaminedPlace found = request->steady.is_rest() && request->steady.inputs.empty()
                                    ? examine_linear(file, system, request->at)
                                    : examine_steady(file, system, *request);
    const CharacteristicPolynomial polynomial = characteristic_of(system, found);
    if (request->json)
      print_json(linear_json(file.model, found, polynomial));
    else
      print_linear(file.model, found, polynomial);
    if (request->report.empty()) return;
    write_report(request->report, linear_page(file, system, found), request->overwrite);
    if (!request->json) say("\nreport  {}\n", request->report);
  });
}

}  // namespace hamel::cli
