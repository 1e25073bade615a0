#include "textbook/collect.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

std::string key_of_rest(const Collected& term) { return Term{1, term.others, term.core}.key(); }

// The number that all terms share, with the sign of the first; otherwise that sign.
double common_number(const Sum& sum) {
  const double first = sum.terms().front().coefficient;
  const bool same = std::all_of(sum.terms().begin(), sum.terms().end(), [&](const Term& term) {
    return std::abs(std::abs(term.coefficient) - std::abs(first)) <= 1e-13 * std::abs(first);
  });
  return same ? first : std::copysign(1.0, first);
}

// Where the rest stands: before the first common factor that follows one of its own in the first term.
std::size_t place_of_rest(const Sum& sum, const std::vector<Factor>& common) {
  std::size_t before = 0;
  for (const Factor& factor : sum.terms().front().factors) {
    if (before == common.size() || factor.atom->key != common[before].atom->key) return before;
    if (factor.exponent != common[before].exponent) return before;
    ++before;
  }
  return before;
}

bool is_simple(const Factor& factor) {
  const Sort sort = factor.atom->sort;
  return factor.exponent > 0 && (sort == Sort::dot || sort == Sort::triple || sort == Sort::symbol);
}

bool may_be_shared(const Collected& term) { return !std::all_of(term.others.begin(), term.others.end(), is_simple); }

std::string key_of_scale(const Collected& term) {
  const Sum coefficient = is_negative(term) ? -term.coefficient : term.coefficient;
  return coefficient.key() + " # " + Term{1, term.others, {}}.key();
}

bool is_angle(const Factor& f) {
  return f.atom->sort == Sort::function && (f.atom->function == "sin" || f.atom->function == "cos");
}

// An acceleration that is a scalar factor takes the part of a vector; so do the rates before sines and cosines.
std::vector<Factor> accelerations(const Collected& term) {
  std::vector<Factor> found, rates;
  if (!term.core.empty()) return found;
  for (const Factor& factor : term.others) {
    if (factor.atom->leaf.is_acceleration) found.push_back(factor);
    if (is_symbol(factor.atom) && factor.atom->leaf.is_rate) rates.push_back(factor);
  }
  const bool has_angles = std::any_of(term.others.begin(), term.others.end(), is_angle);
  return found.empty() && has_angles ? rates : found;
}

Collected merged(const std::vector<Collected>& bucket) {
  if (bucket.size() == 1) return bucket.front();
  Collected whole{Sum(1, 1), accelerations(bucket.front()), bucket.front().core};
  for (const Collected& term : bucket) {
    const Sum scalar = scaled({1, term.others, {}}, term.coefficient);
    whole.coefficient += divided(scalar, 1, whole.others);
  }
  return whole;
}

// All ways to read a factor as a.c.
struct Pairing {
  Sum a, c;
  std::vector<Factor> rest;
};
std::vector<Pairing> pairings(const Collected& term) {
  std::vector<Pairing> all;
  for (std::size_t k = 0; k < term.others.size(); ++k) {
    const auto& [atom, exponent] = term.others[k];
    if (atom->sort != Sort::dot || exponent != 1 || atom->cores[0][0]->rows != 3) continue;
    std::vector<Factor> rest = term.others;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    const Core& chain = atom->cores[1];
    const Sum u = from(atom->cores[0]), v = from(chain.back()), image = from(chain);
    all.push_back({u, image, rest});
    all.push_back({image, u, rest});
    if (chain.size() == 1) continue;
    const Sum back = transpose(Core(chain.begin(), chain.end() - 1)) * u;
    all.push_back({back, v, rest});
    all.push_back({v, back, rest});
  }
  return all;
}

class Nesting {
 public:
  explicit Nesting(const std::vector<Collected>& terms) : terms_(terms), used_(terms.size(), false) {
    for (std::size_t i = 0; i < terms.size(); ++i) index_.emplace(key_of_rest(terms[i]), i);
  }

  std::vector<Nested> run() {
    std::vector<Nested> result;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (used_[i]) continue;
      used_[i] = true;
      result.push_back(nested(terms_[i]));
    }
    return result;
  }

 private:
  Nested nested(const Collected& term) {
    const Core& core = term.core;
    const bool vector = !core.empty() && core.back()->cols == 1 && core.front()->rows == 3;
    const auto first = std::find_if_not(core.begin(), core.end(), is_rotation);
    for (const Core& rotation : {Core{}, Core(core.begin(), first)}) {
      if (!vector) break;
      const Core b(core.begin() + static_cast<std::ptrdiff_t>(rotation.size()), core.end());
      for (const auto& [a, c, rest] : pairings(term))
        if (use_partner({term.coefficient, rest, rotation}, a, from(b), c))
          return {Nested::Kind::product, {term.coefficient, rest, rotation}, a, from(b), c};
    }
    for (std::size_t j = 0; j < terms_.size() && !core.empty(); ++j) {
      const Core& q = terms_[j].core;
      if (used_[j] || q.size() != 1 || q[0]->leaf.sphere != OnSphere::point) continue;
      if (use_partner({term.coefficient, term.others, {}}, from(q), from(core), from(q)))
        return {Nested::Kind::projection, {term.coefficient, term.others, {}}, from(q), from(core), 0.0};
    }
    return {Nested::Kind::plain, term};
  }

  // - scale (a.b) c among the terms, as a single one.
  bool use_partner(const Collected& scale, const Sum& a, const Sum& b, const Sum& c) {
    if (a.rows() != b.rows()) return false;  // vectors of different spaces
    if (!scale.core.empty() && c.rows() != scale.core.back()->cols) return false;
    const Sum ab = dot(a, b);
    if (ab.terms().size() != 1 || c.terms().size() != 1) return false;
    Sum image = c;
    if (!scale.core.empty()) image = from(scale.core) * c;
    if (image.terms().size() != 1) return false;
    const Sum partner = scaled({1, scale.others, {}}, ab * image);
    const Term& wanted = partner.terms().front();
    const auto found = index_.find(Term{1, wanted.factors, wanted.core}.key());
    if (found == index_.end() || used_[found->second]) return false;
    const Sum opposite = scaled({wanted.coefficient, {}, {}}, scale.coefficient);
    if (!(opposite + terms_[found->second].coefficient).is_zero()) return false;
    used_[found->second] = true;
    return true;
  }

  const std::vector<Collected>& terms_;
  std::vector<bool> used_;
  std::unordered_map<std::string, std::size_t> index_;  // by key_of_rest
};

}  // namespace

std::vector<Collected> collect(const Sum& sum) {
  std::vector<Collected> collected;
  std::unordered_map<std::string, std::size_t> index;
  for (const Term& term : sum.terms()) {
    Collected part{Sum(1, 1), {}, term.core};
    Term constant{term.coefficient, {}, {}};
    for (const Factor& factor : term.factors)
      (factor.atom->is_constant ? constant.factors : part.others).push_back(factor);
    const auto [found, is_new] = index.try_emplace(key_of_rest(part), collected.size());
    if (is_new) collected.push_back(std::move(part));
    collected[found->second].coefficient.add(constant);
  }
  return collected;
}

bool is_negative(const Collected& term) { return term.coefficient.terms().front().coefficient < 0; }

Split split_coefficient(const Sum& coefficient) {
  Split split;
  split.common = common_factors(coefficient);
  split.number = common_number(coefficient);
  split.rest = divided(coefficient, split.number, split.common);
  split.place = place_of_rest(coefficient, split.common);
  return split;
}

std::vector<Collected> by_vector(const std::vector<Collected>& terms) {
  std::vector<std::vector<Collected>> buckets;
  std::unordered_map<std::string, std::size_t> index;
  for (const Collected& term : terms) {
    const std::string key = Term{1, accelerations(term), term.core}.key();
    const auto [found, is_new] = index.try_emplace(key, buckets.size());
    if (is_new || key == "|") {  // plain scalars stay as they are
      found->second = buckets.size();
      buckets.emplace_back();
    }
    buckets[found->second].push_back(term);
  }
  std::vector<Collected> result;
  for (const std::vector<Collected>& bucket : buckets) result.push_back(merged(bucket));
  return result;
}

std::vector<std::vector<Collected>> alike(const std::vector<Collected>& terms) {
  std::vector<std::vector<Collected>> groups;
  std::unordered_map<std::string, std::size_t> index;
  for (const Collected& term : terms) {
    if (term.core.empty() || !may_be_shared(term)) {
      groups.push_back({term});
      continue;
    }
    const auto [found, is_new] = index.try_emplace(key_of_scale(term), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(term);
  }
  return groups;
}

std::vector<std::vector<Collected>> grouped(const std::vector<Collected>& terms) {
  std::vector<std::vector<Collected>> result;
  std::vector<Collected> single;
  for (const std::vector<Collected>& group : alike(terms))
    if (group.size() == 1) single.push_back(group.front());
  if (single.size() == terms.size()) return alike(by_vector(terms));
  for (const std::vector<Collected>& group : alike(terms))
    if (group.size() > 1) result.push_back(group);
  for (const Collected& term : by_vector(single)) result.push_back({term});
  return result;
}

std::vector<Applied> by_operator(const std::vector<Collected>& terms) {
  std::vector<Applied> parts;
  std::unordered_map<std::string, std::vector<std::size_t>> index;
  std::vector<std::string> keys;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Core& core = terms[k].core;
    const bool is_cross = core.size() == 1 && core[0]->sort == Sort::cross;
    keys.push_back(core.size() > 1 && core.back()->cols == 1 ? "*" + core[0]->key
                   : is_cross                                ? "x" + key_of(core[0]->cores[0])
                                                             : "");
    index[keys.back()].push_back(k);
  }
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Core& core = terms[k].core;
    const std::vector<std::size_t>& same = index[keys[k]];
    if (keys[k].empty() || same.size() == 1) {
      parts.push_back({terms[k], {}, false, 0.0});
      continue;
    }
    if (same.front() != k) continue;
    const bool is_cross = keys[k][0] == 'x';
    Applied part{terms[k], is_cross ? core[0]->cores[0] : Core{core[0]}, is_cross, Sum(core.front()->cols, 1)};
    if (is_cross) part.inside = Sum(3, 1);
    for (const std::size_t j : same) {
      const Core& whole = terms[j].core;
      const Core rest = is_cross ? whole[0]->cores[1] : Core(whole.begin() + 1, whole.end());
      part.inside += scaled({1, terms[j].others, {}}, terms[j].coefficient * from(rest));
    }
    parts.push_back(part);
  }
  return parts;
}

std::vector<Nested> nest(const std::vector<Collected>& terms) { return Nesting(terms).run(); }

}  // namespace hamel::textbook
