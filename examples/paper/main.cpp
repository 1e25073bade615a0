// Runs the six examples of T. Lee, M. Leok, N. H. McClamroch, "Lagrangian mechanics and variational integrators on
// two-spheres", and prints the figures of the paper and ours next to each other.
//
//   paper          all of them; number 6 takes most of the time, and 6 GB of memory
//   paper 1 2 3    some of them
//   paper cart     the experiments of another paper, of a chain on a cart that is controlled, with its figures
#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include "cart.hpp"
#include "measure.hpp"

using namespace hamel;
using namespace hamel::two_spheres;

namespace {

// A figure of the paper, and what ours must be to deserve the words.
struct Figure {
  std::string shown = "-", words = {};
  double low = 0, high = std::numeric_limits<double>::infinity();
};
Figure three_digits(double value) {
  return {fmt::format("{:.4e}", value), "three digits", value * (1 - 1e-3), value * (1 + 1e-3)};
}
Figure same_size(double value) { return {fmt::format("{:.4e}", value), "same size", value / 2, value * 2}; }
Figure rounding(const std::string& shown = "-") { return {shown, "rounding", 0, 1e-14}; }
// Drawn in the paper, not printed: the number is that of another program with the same settings.
Figure reproduced(double value) {
  Figure figure = three_digits(value);
  figure.shown = fmt::format("({:.3e})", value);
  return figure;
}
// A power of ten that could not be read, and is not guessed.
Figure mantissa(const std::string& shown) { return {shown}; }

class Table {
 public:
  Table() {
    fmt::print("\n  {:<34}{:^36}{:^36}{:>11}\n", "", "mean energy error", "mean error of unit length", "microsec.");
    fmt::print("  {:<34}{:>11} {:>9}  {:<13}{:>11} {:>9}  {:<13}{:>11}\n", "", "paper", "ours", "", "paper", "ours", "",
               "per step");
  }
  void title(const std::string& name) {
    fmt::print("\n  {}\n", name);
    std::fflush(stdout);
  }
  void row(const std::string& method, const Errors& ours, const Figure& energy, const Figure& length) {
    fmt::print("    {:<32}{}{}{:>11.2f}\n", method, cell(energy, ours.energy), cell(length, ours.length),
               ours.microseconds);
    std::fflush(stdout);
  }
  bool all_good() const { return all_good_; }

 private:
  std::string cell(const Figure& figure, double ours) {
    const bool good = figure.low <= ours && ours <= figure.high;
    all_good_ = all_good_ && good;
    return fmt::format("{:>11} {:>9.3e}  {:<12} ", figure.shown, ours, good ? figure.words : "DIFFERS");
  }
  bool all_good_ = true;
};

Method like_ode45(double relative, double end) {
  return Rk45{.relative = relative, .absolute = 1e-6, .largest_step = end / 10, .code = Rk45Code::ode45};
}

void pendulum(Table& table) {
  const Example example = double_pendulum();
  table.title(example.name);
  table.row("variational, h = 0.01", measure(example, Variational{0.01}), three_digits(2.1641e-5),
            rounding("8.8893e-15"));
  table.row("rk45 of the printed equations", measure_double_pendulum_as_printed(), three_digits(7.8586e-4),
            three_digits(6.2742e-5));
  table.row("rk45 of ours", measure(example, like_ode45(1e-4, example.end), 0.01), {}, {});
}

// The printed steps are a fifth of these.
void bodies(Table& table) {
  const Example example = three_bodies();
  table.title(example.name);
  table.row("variational, h = 5e-3", measure(example, Variational{5e-3}), three_digits(1.1717e-4), rounding());
  table.row("variational, h = 5e-4", measure(example, Variational{5e-4}), three_digits(1.1986e-6), rounding());
  for (double h : {5e-3, 5e-4})
    table.row(h == 5e-3 ? "rk2, h = 5e-3" : "rk2, h = 5e-4", measure(example, Rk2{.step = h, .form = Form::velocity}),
              {}, {});
}

void springs(Table& table) {
  const Example example = coupled_pendula();
  table.title(example.name);
  table.row("variational, h = 0.005", measure(example, Variational{0.005}), three_digits(3.6171e-5),
            rounding("4.2712e-?"));
  table.row("rk2, h = 0.005", measure(example, Rk2{.step = 0.005}), reproduced(1.007e-3), reproduced(1.77e-3));
  table.row("rk2, reprojected", measure(example, Rk2{.step = 0.005, .reproject = true}), reproduced(1.273e-3), {});
}

// The tolerances of rk45 are not printed in examples 4 and 5; these are the defaults of ode45.
void rod(Table& table) {
  const Figure spread{"1.4310e-06", "in spread", 1.2e-6, 1.9e-6};  // of this chaotic motion, over small changes
  const Example example = elastic_rod();
  table.title(example.name);
  table.row("variational, h = 1e-4", measure(example, Variational{1e-4}), spread, rounding("2.9747e-14"));
  table.row("rk45", measure(example, like_ode45(1e-3, example.end), 1e-3), mantissa("3.5244e-?"),
            mantissa("1.8725e-?"));
}

void dipoles(Table& table) {
  const Example example = magnetic_dipoles();
  table.title(example.name);
  table.row("variational, h = 3e-4", measure(example, Variational{3e-4}), same_size(8.5403e-10),
            rounding("1.6140e-14"));
  table.row("rk45", measure(example, like_ode45(1e-3, example.end), 1e-3), same_size(2.9989e-7), same_size(1.7594e-4));
}

// The start is ours, since the paper does not print its own: only the size of the figure means something.
void gas(Table& table) {
  table.title("6 molecules on a sphere: deriving the motion of 642, all 205,761 pairs; this takes a minute ...");
  const Example example = molecules();
  table.row("variational, h = 0.005", measure(example, Variational{0.005}), same_size(1.8893e-3),
            rounding("5.2623e-15"));
}

template <class Wanted>
bool run_spheres(const Wanted& wanted) {
  Table table;
  if (wanted("1")) pendulum(table);
  if (wanted("2")) bodies(table);
  if (wanted("3")) springs(table);
  if (wanted("4")) rod(table);
  if (wanted("5")) dipoles(table);
  if (wanted("6")) gas(table);
  fmt::print(
      "\n  three digits: equal to 1 in 1000.  in spread: the motion is chaotic, small changes give 1.2e-6 to 1.9e-6.\n"
      "  same size: within a factor of 2, where settings are not printed (5: the start, h and the tolerances of rk45;\n"
      "  6: the start, so that ours is another one).\n"
      "  rounding: below 1e-14.  (in parentheses): drawn in the paper; the number is that of another program.\n"
      "  e-?: a power of ten that our copy of the paper does not show; not judged.\n"
      "  Off the spheres, where Runge-Kutta methods soon are, equations that agree on them differ: to the digit, rk45\n"
      "  agrees with the paper from the equations that the paper prints. It takes the steps of MATLAB's ode45; its "
      "time\n"
      "  includes the outputs.\n\n");
  return table.all_good();
}

}  // namespace

int main(int count, char** arguments) {
  const std::set<std::string> chosen(arguments + 1, arguments + count), known{"1", "2", "3", "4", "5", "6", "cart"};
  for (const std::string& name : chosen)
    if (known.count(name) == 0) {
      fmt::print(stderr,
                 "paper: there is no example '{}'; the examples are 1 to 6, and cart, for instance: paper 1 2 3\n",
                 name);
      return 2;
    }
  const bool all = chosen.empty(), spheres = all || chosen.size() > chosen.count("cart");
  const bool good = !spheres || run_spheres([&](const char* number) { return all || chosen.count(number) > 0; });
  const std::string folder = std::filesystem::path(arguments[0]).parent_path().string();
  const bool cart_good = (!all && chosen.count("cart") == 0) || cart::run_experiments(folder.empty() ? "." : folder);
  return good && cart_good ? 0 : 1;
}
