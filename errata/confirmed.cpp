// Which equations of the book the tests have as they are printed.
#include <filesystem>
#include <fstream>
#include <regex>

#include "errata.hpp"

namespace hamel::errata {
namespace {

bool says_corrected(const std::string& line) {
  static const std::regex word("corrected|unsymmetric", std::regex::icase);
  return std::regex_search(line, word);
}

}  // namespace

std::set<std::string> equation_numbers(const std::string& text) {
  static const std::regex number(R"((to )?\((\d+)\.(\d+)\))");
  std::set<std::string> numbers;
  int last = 0;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), number); it != std::sregex_iterator(); ++it) {
    const std::string chapter = (*it)[2];
    const int end = std::stoi((*it)[3]);
    for (int i = (*it)[1].matched ? last + 1 : end; i <= end; ++i) numbers.insert(chapter + "." + std::to_string(i));
    last = end;
  }
  return numbers;
}

std::set<std::string> equations_in_tests(const std::string& source_directory) {
  std::set<std::string> numbers;
  for (const char* const folder : {"/tests/systems", "/tests/gallery"})
    for (const auto& file : std::filesystem::directory_iterator(source_directory + folder)) {
      std::ifstream lines(file.path());
      for (std::string line; std::getline(lines, line);)  // Book, book
        if (const std::size_t at = line.find("ook ("); at != std::string::npos && !says_corrected(line))
          numbers.merge(equation_numbers(line.substr(at)));
    }
  return numbers;
}

}  // namespace hamel::errata
