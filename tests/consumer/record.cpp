// A model file, its run, its record and its report, without the command.
#include <cstdlib>
#include <filesystem>
#include <hamel/hamel.hpp>
#include <hamel/language/model_file.hpp>
#include <hamel/record/recorded_run.hpp>
#include <hamel/report/run_page.hpp>
#include <iostream>

int main() {
  using namespace hamel;
  const ModelFile file = parse_model(R"toml(
name = "spherical pendulum"
[parameters]
m = 1
l = 0.9
g = 9.81
[coordinates]
q = "S2"
[points]
x = "l*q"
[energy]
kinetic = "m/2*norm2(x')"
potential = "m*g*x.z"
[start]
q = [0.6, 0, -0.8]
"q'" = [0, 0.5, 0]
)toml",
                                     "pendulum.toml");
  const System system = derive(file.model);
  std::vector<std::string> remarks;
  const State start = start_state(file, system, remarks);
  const RunSummary summary =
      recorded_run(system, start, Variational{.step = 0.01}, {.until = {1}, .path = "run.h5", .overwrite = true});
  write_report("run.html", "run.h5", file, true);

  const Record record = read_record("run.h5");
  std::cout << record.rows.size() << " rows, " << std::filesystem::file_size("run.html") << " bytes of report\n";
  return summary.finished && record.rows.size() == 101 && record.summary.momenta.size() == 1 ? EXIT_SUCCESS
                                                                                             : EXIT_FAILURE;
}
