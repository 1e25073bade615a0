#include "textbook/identities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "textbook/atoms.hpp"

namespace hamel::textbook {
namespace {

using Eigen::MatrixXd;

// c sin^2 f + c cos^2 f = c f
class Pythagoras {
 public:
  Sum of(const Sum& sum) {
    Sum result(1, 1);
    for (const Term& term : sum.terms()) result.add(term);
    for (const Term& term : sum.terms()) {
      for (const Factor& factor : term.factors) {
        if (factor.exponent < 2 || factor.atom->function != "sin" || factor.atom->sort != Sort::function) continue;
        const Term partner = with_cosine(term, factor);
        if (!contains(result, term) || !contains(result, partner)) continue;
        Term rest = lowered(term, factor.atom->key);
        for (Term gone : {term, partner}) {
          gone.coefficient = -gone.coefficient;
          result.add(gone);
        }
        result.add(rest);
        break;
      }
    }
    return result;
  }

 private:
  static bool contains(const Sum& sum, const Term& term) {
    return std::any_of(sum.terms().begin(), sum.terms().end(), [&](const Term& other) {
      return std::abs(other.coefficient - term.coefficient) <= 1e-13 * std::abs(term.coefficient) &&
             other.key() == term.key();
    });
  }
  // Without two of a factor's powers.
  static Term lowered(Term term, const std::string& key) {
    const auto found =
        std::find_if(term.factors.begin(), term.factors.end(), [&](const Factor& f) { return f.atom->key == key; });
    found->exponent -= 2;
    if (found->exponent == 0) term.factors.erase(found);
    return term;
  }
  static Term with_cosine(const Term& term, const Factor& sine) {
    const Sum square = power(function("cos", sine.atom->sums), 2);
    return scaled(lowered(term, sine.atom->key), square).terms().front();
  }
};

// A term as k x.(N y) with numbers N, where it is one.
struct Bilinear {
  Term scale{};
  AtomPtr x{}, y{};
  MatrixXd N{};
};

// x.y, x.(N y)
bool take_matrix(const Atom& atom, Bilinear& result) {
  const Core& chain = atom.cores[1];
  result.x = atom.cores[0][0];
  result.y = chain.back();
  if (!is_symbol(result.x) || !is_symbol(result.y) || chain.size() > 2) return false;
  if (chain.size() == 2 && chain[0]->sort != Sort::number) return false;
  result.N = chain.size() == 2 ? chain[0]->value : MatrixXd::Identity(result.x->rows, result.x->rows);
  return true;
}

bool is_component(const Factor& factor) {
  const Atom& atom = *factor.atom;
  return atom.sort == Sort::dot && atom.cores[1].size() == 1 && is_symbol(atom.cores[0][0]) &&
         atom.cores[1][0]->sort == Sort::number && (factor.exponent == 1 || factor.exponent == 2);
}

bool as_bilinear(const Term& term, Bilinear& result) {
  result.scale = {term.coefficient, {}, {}};
  std::vector<Factor> components;
  bool found = false;
  for (const Factor& factor : term.factors) {
    if (is_component(factor)) {
      components.push_back(factor);
    } else if (!found && factor.exponent == 1 && factor.atom->sort == Sort::dot) {
      found = take_matrix(*factor.atom, result);
      if (!found) return false;
    } else {
      result.scale.factors.push_back(factor);
    }
  }
  if (found) return components.empty();
  const bool square = components.size() == 1 && components[0].exponent == 2;
  const bool pair = components.size() == 2 && components[0].exponent == 1 && components[1].exponent == 1;
  if (!square && !pair) return false;
  const Atom &first = *components.front().atom, &second = *components.back().atom;
  result.x = first.cores[0][0];
  result.y = second.cores[0][0];
  result.N = first.cores[1][0]->value * second.cores[1][0]->value.transpose();
  if (result.y->key < result.x->key) {
    std::swap(result.x, result.y);
    result.N.transposeInPlace();
  }
  return result.x->rows == result.y->rows;
}

// What sums of such terms with one scale and one pair of vectors come to, if that is a multiple of x.y.
class Isotropy {
 public:
  Sum of(const Sum& sum) {
    Sum result(1, 1);
    for (const Term& term : sum.terms()) {
      Bilinear form;
      if (as_bilinear(term, form))
        gather(form, term);
      else
        result.add(term);
    }
    for (const Group& group : groups_) result += total(group);
    return result;
  }

 private:
  struct Group {
    std::string key;
    Bilinear form;  // N with the numbers of the scales
    std::vector<Term> terms;
  };

  void gather(const Bilinear& form, const Term& term) {
    Bilinear whole = form;
    whole.N *= std::exchange(whole.scale.coefficient, 1.0);
    const std::string key = whole.scale.key() + form.x->key + " " + form.y->key;
    for (Group& group : groups_)
      if (group.key == key) {
        group.form.N += whole.N;
        group.terms.push_back(term);
        return;
      }
    groups_.push_back({key, whole, {term}});
  }

  static Sum total(const Group& group) {
    const auto& [scale, x, y, N] = group.form;
    const MatrixXd multiple = N(0, 0) * MatrixXd::Identity(N.rows(), N.cols());
    const double size = N.cwiseAbs().maxCoeff();
    if (group.terms.size() == 1 || (N - multiple).cwiseAbs().maxCoeff() > 1e-13 * std::max(size, 1e-300))
      return sum_of(1, 1, group.terms);
    return scaled(scale, N(0, 0) * dot(Core{x}, Core{y}));
  }

  std::vector<Group> groups_;
};

}  // namespace

Sum with_identities(const Sum& scalar) { return Isotropy().of(Pythagoras().of(scalar)); }

}  // namespace hamel::textbook
