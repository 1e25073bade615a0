#include "gallery/claims.hpp"

#include <filesystem>
#include <map>
#include <sstream>

#include "cases.hpp"

namespace hamel::test {
namespace {

using Names = std::set<std::string>;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) result.push_back(trimmed(part));
  return result;
}

double number_in(const std::string& text, const std::string& where) {
  std::istringstream in(text);
  double number = 0;
  if (!(in >> number) || !in.eof()) refuse(where, "'" + text + "' is not a number");
  return number;
}

class ClaimReader {
 public:
  void read(const Line& line) {
    if (line.text.find('|') != std::string::npos)
      add_claim(line);
    else if (const auto place = line.text.find(" ="); place != std::string::npos)
      named_[line.text.substr(0, place)] = momenta(line.text.substr(place + 2));
    else if (!line.text.empty())
      refuse(line.where, "neither a claim nor a name of momenta");
  }
  std::vector<Claim> claims;

 private:
  Names momenta(const std::string& list) const {
    Names result;
    for (const std::string& name : parts(list, ',')) {
      const auto known = named_.find(name);
      if (known == named_.end())
        result.insert(name);
      else
        result.insert(known->second.begin(), known->second.end());
    }
    return result;
  }

  void add_claim(const Line& line) {
    const std::vector<std::string> columns = parts(line.text, '|');
    if (columns.size() != 5 && columns.size() != 6) refuse(line.where, "a claim has five columns, or six");
    if (!std::filesystem::exists(gallery_folder() + "/" + columns[0] + ".toml"))
      refuse(line.where, "there is no model " + columns[0]);
    Claim claim{.id = columns[0], .where = line.where, .space = columns[1]};
    claim.degrees_of_freedom = static_cast<int>(number_in(columns[2], line.where));
    claim.momenta = momenta(columns[3]);
    claim.energy = columns[4] != "varies";
    if (claim.energy) claim.drift = number_in(columns[4], line.where);
    if (columns.size() == 6) {
      const std::vector<std::string> setting = parts(columns[5], '=');
      if (setting.size() != 2) refuse(line.where, "a smaller case is 'parameter = value'");
      claim.smaller = {{setting[0], setting[1]}};
    }
    claims.push_back(claim);
  }

  std::map<std::string, Names> named_;
};

}  // namespace

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    ClaimReader reader;
    for (const Line& line : read_lines("tests/gallery/claims.txt")) reader.read(line);
    return reader.claims;
  }();
  return all;
}

std::vector<Claim> claims_with_energies() {
  std::vector<Claim> result;
  for (const Claim& claim : claims())
    if (!gallery_model(claim.id, claim.smaller).model.has_field()) result.push_back(claim);
  return result;
}

}  // namespace hamel::test
