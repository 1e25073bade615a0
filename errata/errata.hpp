// Errata as data: where an equation is printed, how it should read, what follows from it, and a check of both.
//
//   {result, "(7.61)", R"(printed)", R"(corrected)", "the moment of gravity turns the body the wrong way", check}
//
// A check puts the motion that hamel derives from the energies alone into the printed and into the corrected equation
// and returns what remains of each. A new row is one such line in the table of its chapter.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace hamel::errata {

enum List {
  theory,    // A, first part: general statements that are wrong
  result,    // A: equations and claims of examples that change a result; the remark is the consequence
  slip,      // B: what a reader repairs
  notation,  // C: names, references, wording; not checked
  glyph      // D: one glyph, which a conversion may have lost; the remark names it
};

enum class Source { conversion, print };  // where the printed form was read

struct Evidence {
  double printed = 0, corrected = 0;  // what remains of an equation that should hold
  std::string sizes = {};             // or: of what does not fit
  std::string words = {};             // said instead of the two numbers, which are computed all the same
};

struct Entry {
  List list;
  std::string place, printed, corrected, remark;
  std::function<Evidence()> check = {};
  Source source = Source::conversion;
};

inline const std::string book = "[M]";

struct Chapter {
  std::string text, title;
  std::vector<Entry> entries;
};

std::vector<Entry> joined(std::vector<Entry> entries, const std::vector<Entry>& more);

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
std::vector<Entry> elastic_rod();       // of chapter 10
Chapter appendices();
Chapter two_spheres_paper();
Chapter embedded_paper();
Chapter cart_paper();
Chapter integrators_paper();

// Numbers of equations, as "4.62", in a text such as "(4.62), (4.91) to (4.94)".
std::set<std::string> equation_numbers(const std::string& text);

// Equations of the book that tests of hamel have as they are printed: those that their comments cite, without the word
// "corrected".
std::set<std::string> equations_in_tests(const std::string& source_directory);

// The page, and what is wrong with it: an entry whose evidence fails.
struct Page {
  std::string text;
  std::vector<std::string> failures;
  int confirmed = 0, read = 0;
};
Page write_page(const std::vector<Chapter>& chapters, const std::set<std::string>& found_right);

// Whether two pages differ in nothing but the last digits of numbers; if not, the first line that does.
std::string first_difference(const std::string& committed, const std::string& written);

}  // namespace hamel::errata
