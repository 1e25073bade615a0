// Errata as data: where an equation is printed, how it should read, and a check that shows both.
//
//   {"(7.62)", R"(\lVert x+R\rho_i\rVert^2)", R"(\lVert x+R\rho_i\rVert^3)", "Euler-Lagrange", exponent_of_gravity}
//
// A check puts the motion that hamel derives from the energies alone into the printed and into the corrected equation
// and returns what remains of each. What cannot be shown by numbers is shown by sizes, or is listed as open.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace hamel::errata {

struct Evidence {
  double printed = 0, corrected = 0;  // what remains of an equation that should hold
  std::string sizes = {};             // or: of what does not fit
  std::string open = {};              // or: why there is no evidence
};

struct Entry {
  std::string place, printed, corrected, kind;
  std::function<Evidence()> check;
};

inline const std::string book =
    "Lee, Leok, McClamroch: *Global Formulations of Lagrangian and Hamiltonian Dynamics on Manifolds*";

struct Chapter {
  std::string text, title;
  std::vector<Entry> entries;
};

Chapter background();                   // book, chapters 1 to 3
Chapter circles();                      // chapter 4
std::vector<Entry> furuta_and_robot();  // of chapter 4
Chapter spheres();                      // chapter 5
Chapter rotations();                    // chapter 6
Chapter rigid_motions();                // chapter 7
Chapter manifolds();                    // chapter 8
Chapter bodies();                       // sections 9.1 to 9.9
Chapter spacecraft();                   // sections 9.10 to 9.12
Chapter deformable_bodies();            // chapter 10
Chapter appendices();
Chapter two_spheres_paper();
Chapter embedded_paper();
Chapter cart_paper();

// The page, and what is wrong with it: an entry whose evidence fails.
struct Page {
  std::string text;
  std::vector<std::string> failures;
  int confirmed = 0, open = 0;
};
Page write_page(const std::vector<Chapter>& chapters);

// Whether two pages differ in nothing but the last digits of numbers; if not, the first line that does.
std::string first_difference(const std::string& committed, const std::string& written);

}  // namespace hamel::errata
