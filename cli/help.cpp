#include "help.hpp"

#include <sstream>

#include "console.hpp"

namespace hamel::cli {

namespace {

class NarrowHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string result;
    for (std::string line; std::getline(lines, line);) result += folded(line, columns(), indentation(line)) + '\n';
    return result;
  }

 private:
  // Of what follows: that of the descriptions, where the line has one.
  std::size_t indentation(const std::string& line) const {
    const std::size_t leading = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t column = get_column_width();
    const bool has_description = leading > 0 && line.size() > column && line[column - 1] == ' ' && line[column] != ' ';
    return has_description ? column : leading + 2;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> narrow_help() { return std::make_shared<NarrowHelp>(); }

}  // namespace hamel::cli
