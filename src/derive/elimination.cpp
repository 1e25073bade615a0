#include "hamel/derive/elimination.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hamel {
namespace {

constexpr int most_constraints_of_an_early_pivot = 3;
constexpr double singular_inertia = 1e-14;  // of the largest one

class Elimination {
 public:
  Elimination(const std::vector<Unknown>& unknowns, const SparseEntries& A, std::vector<Expr> b, bool symmetric,
              double least_inertia)
      : unknowns_(unknowns),
        rows_(unknowns.size()),
        rhs_(std::move(b)),
        symmetric_(symmetric),
        least_inertia_(least_inertia),
        done_(unknowns.size(), false) {
    for (const auto& [row, col, value] : A) add(row, col, value);
    if (least_inertia_ > 0) find_inertia();
    for (int i = 0; i < size(); ++i) {
      if (unknowns_[at(i)].dual) continue;
      ++primal_left_;
      if (unknowns_[at(i)].block >= 0) ++block_left_[unknowns_[at(i)].block];
    }
  }

  std::vector<Expr> solve(const SimplifyPivot& simplify) {
    for (int i = 0; i < size(); ++i)
      if (is_early(i)) pivot(i);
    for (int i = 0; simplify && i < size(); ++i)
      if (unknowns_[at(i)].dual && unknowns_[at(i)].block >= 0 && has_diagonal(i))
        rows_[at(i)][i] = simplify(rows_[at(i)][i], unknowns_[at(i)].block);
    eliminate_by_degree();
    return back_substitute();
  }
  const std::vector<Expr>& pivots() const { return pivots_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int size() const { return static_cast<int>(rows_.size()); }

  void add(int row, int col, Expr value) {
    auto& entry = rows_[at(row)][col];
    entry += value;
    rows_[at(col)].try_emplace(row);  // keeps the structure symmetric
  }

  // A diagonal mass, and few constraints: eliminating it only couples those.
  bool is_early(int i) const {
    if (unknowns_[at(i)].dual) return false;
    int constraints = 0;
    for (const auto& [j, value] : rows_[at(i)]) {
      if (j == i || done_[at(j)]) continue;
      if (!unknowns_[at(j)].dual) return false;
      ++constraints;
    }
    return constraints <= most_constraints_of_an_early_pivot && has_diagonal(i);
  }

  bool has_diagonal(int i) const {
    const auto diagonal = rows_[at(i)].find(i);
    return diagonal != rows_[at(i)].end() && !diagonal->second.is_constant(0);
  }

  bool is_ready(int i) const {
    const Unknown& unknown = unknowns_[at(i)];
    if (!has_diagonal(i)) return false;
    if (!unknown.dual) return true;
    if (unknown.block < 0) return primal_left_ == 0;
    const auto left = block_left_.find(unknown.block);
    return left == block_left_.end() || left->second == 0;
  }

  int degree(int i) const { return static_cast<int>(rows_[at(i)].size()); }

  void eliminate_by_degree() {
    std::set<std::pair<int, int>> queue;
    std::vector<int> queued(rows_.size(), -1);
    const auto refresh = [&](int i) {
      if (queued[at(i)] >= 0) queue.erase({queued[at(i)], i});
      queued[at(i)] = -1;
      if (done_[at(i)] || !is_ready(i)) return;
      queued[at(i)] = degree(i);
      queue.insert({degree(i), i});
    };
    for (int i = 0; i < size(); ++i) refresh(i);
    std::map<int, std::vector<int>> waiting;  // duals by block
    for (int i = 0; i < size(); ++i)
      if (unknowns_[at(i)].dual && !done_[at(i)]) waiting[unknowns_[at(i)].block].push_back(i);

    std::size_t left = static_cast<std::size_t>(std::count(done_.begin(), done_.end(), false));
    while (left > 0) {
      if (queue.empty()) throw NoPivot(static_cast<int>(std::find(done_.begin(), done_.end(), false) - done_.begin()));
      const int k = queue.begin()->second;
      queue.erase(queue.begin());
      queued[at(k)] = -1;
      std::vector<int> neighbours;
      for (const auto& [j, value] : rows_[at(k)])
        if (j != k) neighbours.push_back(j);
      pivot(k);
      --left;
      for (int j : neighbours) refresh(j);
      if (!unknowns_[at(k)].dual) {
        for (int j : waiting[unknowns_[at(k)].block]) refresh(j);
        if (primal_left_ == 0)
          for (int j : waiting[-1]) refresh(j);
      }
    }
  }

  void pivot(int k) {
    done_[at(k)] = true;
    order_.push_back(k);
    if (!unknowns_[at(k)].dual) {
      --primal_left_;
      if (unknowns_[at(k)].block >= 0) --block_left_[unknowns_[at(k)].block];
    }
    auto& row = rows_[at(k)];
    pivots_.push_back(row.at(k));
    const Expr inverse = Expr(1.0) / looked_at(k, row.at(k));
    row.erase(k);
    rhs_[at(k)] *= inverse;
    std::map<int, Expr> scaled;
    for (const auto& [j, value] : row) scaled.emplace(j, value * inverse);
    for (const auto& [i, unused] : row) {
      auto& other = rows_[at(i)];
      const Expr factor = other.at(k);
      other.erase(k);
      rhs_[at(i)] -= factor * rhs_[at(k)];
      for (const auto& [j, value] : scaled)
        if (!symmetric_ || i <= j) update(i, j, factor * value);
    }
    row = std::move(scaled);
  }

  void find_inertia() {
    Expr largest;
    for (int i = 0; i < size(); ++i) {
      inertia_.push_back(has_diagonal(i) ? rows_[at(i)][i] : Expr());
      if (!unknowns_[at(i)].dual) largest = max(largest, inertia_.back());
    }
    smallest_ = singular_inertia * largest;
  }
  Expr looked_at(int k, Expr pivot) const {
    if (least_inertia_ == 0 || unknowns_[at(k)].dual) return pivot;
    return select(less(max(smallest_, least_inertia_ * inertia_[at(k)]), pivot), pivot, Expr());
  }

  void update(int i, int j, Expr product) {
    if (product.is_constant(0)) return;
    const auto subtract = [&](int row, int col) {
      auto& entry = rows_[at(row)][col];
      entry -= product;
    };
    subtract(i, j);
    if (i == j) return;
    if (symmetric_)
      subtract(j, i);
    else
      rows_[at(j)].try_emplace(i);
  }

  std::vector<Expr> back_substitute() {
    std::vector<Expr> x(rows_.size());
    for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
      Expr value = rhs_[at(*k)];
      for (const auto& [j, coefficient] : rows_[at(*k)]) value -= coefficient * x[at(j)];
      x[at(*k)] = value;
    }
    return x;
  }

  const std::vector<Unknown>& unknowns_;
  std::vector<std::map<int, Expr>> rows_;
  std::vector<Expr> rhs_;
  bool symmetric_;
  double least_inertia_;
  std::vector<Expr> inertia_;  // the diagonal, before anything is eliminated
  Expr smallest_;              // that a pivot may be
  std::vector<bool> done_;
  std::vector<int> order_;
  std::vector<Expr> pivots_;
  int primal_left_ = 0;
  std::map<int, int> block_left_;  // accelerations of a factor that are not yet eliminated
};

}  // namespace

std::vector<Expr> eliminate(const std::vector<Unknown>& unknowns, const SparseEntries& A, std::vector<Expr> b,
                            bool symmetric, const EliminationOptions& options) {
  Elimination elimination(unknowns, A, std::move(b), symmetric, options.least_inertia);
  std::vector<Expr> x = elimination.solve(options.simplify);
  if (options.pivots != nullptr) *options.pivots = elimination.pivots();
  return x;
}

}  // namespace hamel
