// The names and formulas of a model as a model file has them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hamel/model/model.hpp"

namespace hamel {

std::string key_of(const std::string& name);  // quoted where it must be

// q[0] of a model that counts from 0 is q[1] in a file.
struct Member {
  std::string family;  // empty: it has none
  int number = 0;
};
Member member_of(const std::string& name, int first_index);
std::string renumbered(const std::string& name, int first_index);

// Formulas as text: what is used twice has a name.
class WrittenNames {
 public:
  explicit WrittenNames(const Model& model);

  void count(const Formula& formula);  // before the first text: what will be asked for

  std::string text(const Formula& formula);
  std::string meaning(const Formula& formula);  // of what has a name

  const std::vector<std::pair<std::string, std::string>>& definitions() const { return definitions_; }

 private:
  using Node = Formula::Node;

  Formula rewritten(const Formula& formula);
  Node symbol_of(const Node& old) const;
  void name(Node& node, int uses);
  std::string unused(const std::string& wanted);

  const Model& model_;
  std::set<std::string> taken_, points_, labels_;
  std::unordered_map<const Node*, int> uses_;
  std::unordered_map<const Node*, Formula> rewritten_;
  std::map<std::string, std::string> by_meaning_;
  std::vector<std::pair<std::string, std::string>> definitions_;
  int counter_ = 0;
};

}  // namespace hamel
