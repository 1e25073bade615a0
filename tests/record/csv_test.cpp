#include "hamel/record/csv.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "program/temporary.hpp"
#include "record/examples.hpp"

namespace hamel::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Csv : public testing::Test {
 protected:
  void SetUp() override {
    recorded_run(example.system, example.start, Variational{0.01},
                 {.until = {0.1}, .outputs = example.outputs, .path = path}, example.header);
  }

  const Folder folder;
  const std::string path = folder / "run.h5";
  const Recorded example = double_pendulum_with_outputs();
};

TEST_F(Csv, HasNamesAndAllDigits) {
  std::ostringstream out;
  write_csv(RecordReader(path), out);
  const auto lines = lines_of(out.str());
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[0],
            "t,q[1].x,q[1].y,q[1].z,q[2].x,q[2].y,q[2].z,q'[1].x,q'[1].y,q'[1].z,q'[2].x,q'[2].y,q'[2].z,"
            "kinetic energy,potential energy,energy,manifold error,\"angular momentum about e3 (q[1], q[2])\",height,"
            "tip velocity[1],tip velocity[2],tip velocity[3],\"K q[1,1]\",\"K q[2,1]\",\"K q[1,2]\",\"K q[2,2]\"");
  const Rows rows = read_record(path).rows;
  std::istringstream line(lines[8]);
  std::vector<double> numbers;
  for (std::string field; std::getline(line, field, ',');) numbers.push_back(std::stod(field));
  ASSERT_EQ(numbers.size(), 26U);
  EXPECT_EQ(numbers[0], rows.time(7));
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(numbers[1 + k], rows.q(7, static_cast<Eigen::Index>(k)));
    EXPECT_EQ(numbers[7 + k], rows.v(7, static_cast<Eigen::Index>(k)));
  }
  EXPECT_EQ(numbers[15], rows.total(7));
  EXPECT_EQ(numbers[17], rows.momenta(7, 0));
  EXPECT_EQ(numbers[18], rows.outputs[0](7, 0));
  EXPECT_EQ(numbers[25], rows.outputs[2](7, 3));
}

TEST_F(Csv, TakesEachNthRow) {
  std::ostringstream all, some;
  write_csv(RecordReader(path), all);
  write_csv(RecordReader(path), some, {.every = 4});
  const auto every = lines_of(all.str()), fourth = lines_of(some.str());
  EXPECT_EQ(fourth, (std::vector<std::string>{every[0], every[1], every[5], every[9]}));
}

TEST_F(Csv, IsWrittenAsAWholeOrNotAtAll) {
  const std::string csv = folder / "run.csv";
  write_csv(RecordReader(path), csv);
  std::ostringstream expected;
  write_csv(RecordReader(path), expected);
  std::ifstream in(csv);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), expected.str());
  EXPECT_EQ(message_of([&] { write_csv(RecordReader(path), csv); }),
            csv + " exists and was not touched: give another path, or ask for it to be overwritten (--overwrite)");
  write_csv(RecordReader(path), csv, {.overwrite = true});
  EXPECT_EQ(message_of([&] { write_csv(RecordReader(path), folder / "none/run.csv"); }),
            "cannot write " + (folder / "none/run.csv") + ": the folder " + (folder / "none") +
                ": No such file or directory; give another path");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 2);
}

TEST_F(Csv, RecordsAreThinnedWithTheirLastRow) {
  const Rows all = read_record(path).rows;
  const Rows third = read_record(path, {.every = 3}).rows;
  ASSERT_EQ(third.size(), 5U);
  EXPECT_EQ(third.time(3), all.time(9));
  EXPECT_EQ(third.time(4), all.time(10));
  EXPECT_TRUE(third.q.row(4) == all.q.row(10));
  EXPECT_TRUE(third.outputs[2].row(1) == all.outputs[2].row(3));
  for (std::size_t most = 2; most < 20; ++most) {
    const Rows thin = read_record(path, {.at_most = most}).rows;
    EXPECT_LE(thin.size(), most);
    EXPECT_GE(2 * thin.size(), std::min<std::size_t>(most, 11)) << most;
    EXPECT_EQ(thin.time(0), 0);
    EXPECT_EQ(thin.time(thin.time.size() - 1), all.time(10));
  }
}

TEST(Settings, AreMethods) {
  const std::vector<Method> methods{Variational{.step = 0.1, .order = 4, .rule = Quadrature::midpoint},
                                    Gauss{.step = 0.2, .order = 12},
                                    Gauss{.order = 6, .tolerance = 1e-9},
                                    Rk2{.step = 0.1, .rule = Rk2Rule::heun, .form = Form::pi},
                                    Rk4{.step = 0.1, .form = Form::mu, .reproject = true},
                                    Rk45{.relative = 1e-5, .first_step = 0.1, .code = Rk45Code::ode45},
                                    Dop853{.relative = 1e-13, .largest_step = 0.5, .reproject = true},
                                    LieRk{.step = 0.3, .scheme = LieScheme::commutator_free4}};
  for (const Method& method : methods) {
    const auto settings = settings_of(method);
    const Method back = method_of(settings);
    EXPECT_EQ(back.index(), method.index());
    EXPECT_EQ(settings_of(back), settings);
    EXPECT_EQ(describe(back).name, describe(method).name);
  }
  EXPECT_EQ(to_string(settings_of(methods[1])), "method = gauss12, step = 0.2, order = 12, tolerance = 0");
  EXPECT_TRUE(message_of([] {
                method_of({{"method", std::string("euler")}});
              }).starts_with("there is no integrator with method = euler; there are variational, variational4, "));
  EXPECT_EQ(message_of([] {
              method_of({{"method", std::string("rk4")}, {"step", std::string("x")}});
            }),
            "`step` of an integrator is a number; this is not: step = x");
}

}  // namespace
}  // namespace hamel::test
