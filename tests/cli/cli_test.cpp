// What the command prints, where, and with which exit code.
#include <cmath>
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {
namespace {

TEST_F(Command, HelpHasAnExampleForEveryCommand) {
  EXPECT_EQ(hamel("--help").code, 0);
  EXPECT_EQ(hamel("--version").out, "hamel " HAMEL_VERSION "\n");
  for (const char* command :
       {"new", "list", "check", "equations", "run", "sweep", "compare", "report", "convert", "completion"}) {
    SCOPED_TRACE(command);
    const Result help = hamel(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Example"), std::string::npos);
    EXPECT_NE(hamel("--help").out.find(command), std::string::npos);
  }
}

TEST_F(Command, WrongUsageIsTwo) {
  for (const char* arguments : {"", "fly", "run", "run spherical-pendulum --step -1", "run spherical-pendulum --step x",
                                "run spherical-pendulum --integrator foo", "run spherical-pendulum --set m",
                                "run spherical-pendulum --resume", "equations spherical-pendulum --form delta",
                                "equations spherical-pendulum --latex --c", "compare spherical-pendulum",
                                "compare spherical-pendulum --integrators variatonal", "convert", "list --fast"}) {
    SCOPED_TRACE(arguments);
    const Result result = hamel(arguments);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

TEST_F(Command, FailuresAreOne) {
  write("bad.toml", "[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(p')\"\n");
  const Result bad = hamel("check bad.toml");
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(
      bad.err,
      "error: bad.toml:4:18: unknown name p\n       4 | kinetic = \"norm2(p')\"\n         |                  ^\n");
  EXPECT_EQ(hamel("check sherical-pendulum").err,
            "error: there is no model file sherical-pendulum, and no such model in the gallery; did you mean "
            "spherical-pendulum?\n");
  EXPECT_EQ(hamel("check .").code, 1);
  EXPECT_EQ(hamel("convert nothing.h5 --csv out.csv").code, 1);
  EXPECT_EQ(hamel("report bad.toml").code, 1);
  EXPECT_EQ(hamel("run spherical-pendulum --set mass=2 --quiet").err.substr(0, 51),
            "error: --set:1:1: the model has no parameter mass\n ");
}

TEST_F(Command, NumbersInMessagesAreFinite) {
  const Result result = hamel("run heavy-top --step 5 --every 5 --until 20");
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("did not converge"), std::string::npos);
  EXPECT_EQ(result.err.find("nan"), std::string::npos);
}

TEST_F(Command, NewModelsWork) {
  EXPECT_EQ(hamel("new mine").code, 0);
  EXPECT_EQ(hamel("check mine.toml --json").json()["degrees_of_freedom"], 4);
  EXPECT_EQ(hamel("run mine.toml --until 1 --json").json()["steps"], 200);
  const std::string before = slurp(path("mine.toml"));
  EXPECT_EQ(hamel("new mine").code, 1);  // and nothing is lost
  EXPECT_EQ(slurp(path("mine.toml")), before);
}

TEST_F(Command, ListNamesTheGallery) {
  const Json models = hamel("list --json").json();
  EXPECT_GE(models.size(), 5U);
  for (const Json& model : models) {
    EXPECT_FALSE(model["id"].get<std::string>().empty());
    EXPECT_FALSE(model["source"].get<std::string>().empty());
    EXPECT_GE(model["degrees_of_freedom"], 0);
  }
  EXPECT_NE(hamel("list").out.find("double-spherical-pendulum"), std::string::npos);
}

TEST_F(Command, CheckFindsSymmetriesAndSaysWhatItCorrected) {
  const Json chain = hamel("check chain-pendulum-on-cart --json").json();
  EXPECT_EQ(chain["space"], "R2 x S2^5");
  EXPECT_EQ(chain["degrees_of_freedom"], 12);
  EXPECT_EQ(chain["momenta"].size(), 4U);
  EXPECT_EQ(chain["path"], "constant mass");
  write("digits.toml",
        "[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(q')/2\"\n[start]\nq = [0.577, 0.577, 0.577]\n");
  const Result digits = hamel("check digits.toml");
  EXPECT_EQ(digits.err, "note: q in [start] was off by 0.00061 and was corrected\n");
  EXPECT_EQ(hamel("check digits.toml --quiet").err, "");
  EXPECT_NE(digits.out.find("kinetic energy"), std::string::npos);
  write("whole.toml", "[coordinates]\nx = \"R1\"\n[energy]\nlagrangian = \"x'^2/2 - x\"\n[start]\nx = 3\n");
  const Result whole = hamel("check whole.toml");  // its parts are not known
  EXPECT_EQ(whole.out.find("kinetic energy"), std::string::npos) << whole.out;
  EXPECT_NE(whole.out.find("energy  3"), std::string::npos) << whole.out;
}

TEST_F(Command, CheckRefusesWhatIsNoEquilibrium) {
  const Json pendulum = hamel("check spherical-pendulum --json").json();
  ASSERT_EQ(pendulum["equilibria"].size(), 2U);
  EXPECT_EQ(pendulum["equilibria"][0]["name"], "hanging");
  EXPECT_EQ(pendulum["equilibria"][0]["point"]["q"], Json({0, 0, -1}));
  EXPECT_TRUE(pendulum["equilibria"][0]["holds"]);
  write("falls.toml",
        "[parameters]\ng = 9.81\n[coordinates]\nx = \"R1\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"g*x\"\n"
        "[start]\nx = 0\n[equilibria]\nanywhere = { x = 1 }\n");
  const Result falls = hamel("check falls.toml");
  EXPECT_EQ(falls.code, 1);
  EXPECT_NE(falls.out.find("anywhere     9.81                  NO"), std::string::npos) << falls.out;
  EXPECT_EQ(
      falls.err,
      "error: anywhere is no equilibrium of falls.toml: at rest there, it accelerates by 9.81; correct the point in "
      "[equilibria], or take it away\n");
  EXPECT_EQ(hamel("check falls.toml --set g=0").code, 0);
  EXPECT_EQ(hamel("check falls.toml --set g=1").code, 0);  // a claim about the parameters of the file only
}

TEST_F(Command, EquationsReadAsInATextbook) {
  EXPECT_EQ(hamel("equations spherical-pendulum --form omega --latex").out,
            "\\dot{q} = \\omega \\times q\nm l^2 \\dot{\\omega} = -m g l q \\times e_3\n");
  EXPECT_EQ(hamel("equations spherical-pendulum").out, "q' = cross(omega, q)\nm*l^2*omega' = -m*g*l*cross(q, e3)\n");
  EXPECT_EQ(hamel("equations spherical-pendulum --text").out, hamel("equations spherical-pendulum").out);
  EXPECT_EQ(hamel("equations spherical-pendulum --text --latex").code, 2);
  EXPECT_TRUE(hamel("equations spherical-pendulum --form mu --json").json()["vector_form"]);
  const Json top = hamel("equations heavy-top --json").json();
  EXPECT_EQ(top["energies"][0]["text"], "T = dot(Omega, J*Omega)/2");
  EXPECT_EQ(top["energies"][1]["latex"], "U = m g \\, \\mathrm{top}_3");
  EXPECT_EQ(top["points"][1]["latex"], "\\mathrm{top} = R h e_3");
  EXPECT_NE(hamel("equations spherical-pendulum --c").out.find("void hamel_"), std::string::npos);
}

TEST_F(Command, EquationsHaveAFormThatExists) {
  write("frames.toml", "[coordinates]\nQ = \"Stiefel(6, 3)\"\n[energy]\nkinetic = \"trace(transpose(Q')*Q')/2\"\n");
  write("hamiltonian.toml", "[coordinates]\nx = \"R1\"\n[energy]\nhamiltonian = \"momentum(x)^2/2 + x^2\"\n");
  for (const auto& [model, form] : {std::pair{"frames.toml", "velocity"},
                                    {"hamiltonian.toml", "mu"},
                                    {"particle-on-hyperboloid", "omega"},
                                    {"planar-body-se2", "omega"}}) {
    EXPECT_EQ(hamel(std::string("equations ") + model + " --json").json()["form"], form);
    EXPECT_EQ(hamel(std::string("equations ") + model + " --c --json").json()["form"], form);
  }
  for (const char* model : {"particle-on-hyperboloid", "planar-body-se2", "free-body-sl2"})
    for (const char* form : {"velocity", "omega", "mu", "pi"})
      EXPECT_EQ(hamel(std::string("equations ") + model + " --c -q --form " + form).code, 0) << model << " " << form;
  EXPECT_EQ(
      hamel("equations frames.toml --form pi -q").err,
      "error: the equations of frames.toml have the form velocity alone: Stiefel(6, 3) has no formula for its tangent "
      "basis\n");
  EXPECT_EQ(hamel("equations hamiltonian.toml --form velocity -q").err,
            "error: hamiltonian.toml is given by a Hamiltonian: its equations have the forms mu and pi\n");
}

// The paper's first example: its mean energy error is 2.1641e-5 of m l^2.
TEST_F(Command, RunPrintsWhatWasKept) {
  const Json run = hamel("run double-spherical-pendulum --json").json();
  EXPECT_EQ(run["model"], "Double spherical pendulum");
  EXPECT_EQ(run["integrator"], "variational");
  EXPECT_EQ(run["step"], 0.01);
  EXPECT_EQ(run["steps"], 10000);
  EXPECT_DOUBLE_EQ(run["time"], 100);
  EXPECT_NEAR(run["energy"]["mean_error"].get<double>() / (9.81 * 9.81), 2.1647e-5, 1e-8);
  EXPECT_LT(run["manifold"]["max_error"], 1e-14);
  EXPECT_EQ(run["momenta"].size(), 1U);
  EXPECT_LT(run["momenta"][0]["max_error"], 1e-11);
  EXPECT_EQ(run["constraints"]["max_error"], 0);
  EXPECT_EQ(run["final"]["q[2]"]["values"].size(), 3U);
  EXPECT_EQ(run["final"]["q[2]"]["rates"].size(), 3U);
  const Result table = hamel("run double-spherical-pendulum");
  EXPECT_NE(table.out.find("angular momentum about e3"), std::string::npos);
  EXPECT_EQ(table.err, "");                              // no progress in a pipe
  EXPECT_EQ(table.out.find('\033'), std::string::npos);  // and no colours
}

TEST_F(Command, OptionsComeBeforeTheModelFile) {
  const Json run =
      hamel("run spherical-pendulum --integrator gauss8 --step 0.1 --until 2 --every 0.5 --set m=3 --json").json();
  EXPECT_EQ(run["integrator"], "gauss8");
  EXPECT_EQ(run["steps"], 20);
  EXPECT_DOUBLE_EQ(run["energy"]["initial"], 3 * -4.8924);
  EXPECT_EQ(hamel("run spherical-pendulum --integrator rk45 --tolerance 1e-8 --until 1 --json").json()["step"], 0);
}

TEST_F(Command, RecordsAreConvertedAndReported) {
  EXPECT_EQ(hamel("run spherical-pendulum --until 1 --every 0.005 --out run.h5").code, 0);
  EXPECT_EQ(hamel("convert run.h5 --csv").out, "wrote run.csv\n");
  const std::string csv = slurp(path("run.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 202);
  EXPECT_EQ(csv.substr(0, 6), "t,q.x,");
  EXPECT_EQ(hamel("convert run.h5 --csv - --every 100").out.substr(0, 6), "t,q.x,");
  EXPECT_EQ(hamel("report run.h5 --json").json()["steps"], 200);
  EXPECT_EQ(hamel("report run.h5 --out run.html").code, 0);
  EXPECT_NE(slurp(path("run.html")).find("Spherical pendulum"), std::string::npos);
}

TEST_F(Command, DamagedRecordsAreNamedAndReadUpToTheDamage) {
  const std::string run = "run spherical-pendulum --step 0.25 --every 0.25 --until 1 --out run.h5";
  ASSERT_EQ(hamel(run).code, 0);
  const std::string whole = hamel("convert run.h5 --csv -").out;
  std::string bytes = slurp(path("run.h5"));
  const double t = 0.75, nan = std::nan("");
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&t), sizeof t));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, sizeof nan, reinterpret_cast<const char*>(&nan), sizeof nan);
  write("run.h5", bytes);
  const std::string damage =
      "error: run.h5 is damaged: /time is not finite in row 3, the one after t = 0.5; the 3 rows before are whole\n";
  const Result csv = hamel("convert run.h5 --csv -"), report = hamel("report run.h5 --out run.html");
  EXPECT_EQ(csv.code, 1);
  EXPECT_EQ(csv.err, damage);
  EXPECT_EQ(csv.out, whole.substr(0, whole.find("\n0.75,") + 1));
  EXPECT_EQ(report.code, 1);
  EXPECT_EQ(report.err, damage);
  EXPECT_TRUE(fs::exists(path("run.html")));
  const Result resumed = hamel(run + " --resume");
  EXPECT_EQ(resumed.code, 1);
  EXPECT_EQ(resumed.err, damage);
}

TEST_F(Command, FilesAreNotLost) {
  write("run.h5", "precious");
  const Result exists = hamel("run spherical-pendulum --until 1 --every 0.005 --out run.h5");
  EXPECT_EQ(exists.code, 1);
  EXPECT_EQ(slurp(path("run.h5")), "precious");
  EXPECT_EQ(hamel("run spherical-pendulum --until 1 --out run.h5 --overwrite --quiet").code, 0);
  EXPECT_EQ(hamel("run spherical-pendulum --until 1 --out no/such/folder/run.h5").code, 1);
  EXPECT_EQ(hamel("run spherical-pendulum --until 1 --report no/such/folder/run.html").code, 1);
}

// Killed at some moment and resumed, the record has the bits of a run that was never stopped.
TEST_F(Command, KilledRunsAreResumedToTheSameBits) {
  const std::string run = "run double-spherical-pendulum --until 20000 --every 10 --quiet --json --out ";
  ASSERT_EQ(hamel(run + "whole.h5").code, 0);
  const pid_t child = start(run + "killed.h5");
  while (!fs::exists(path("killed.h5")) && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path("killed.h5")));
  const Result resumed = hamel(run + "killed.h5 --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(hamel("convert whole.h5 --csv whole.csv").code, 0);
  ASSERT_EQ(hamel("convert killed.h5 --csv killed.csv").code, 0);
  EXPECT_EQ(slurp(path("whole.csv")), slurp(path("killed.csv")));
}

TEST_F(Command, CompareMeasuresAndPlots) {
  const Json rows = hamel(
                        "compare spherical-pendulum --integrators variational,gauss4,rk45 --steps 0.02,0.01 "
                        "--tolerances 1e-6 --until 1 --plot plot.svg --json")
                        .json();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_LT(rows[1]["run"]["energy"]["max_error"], rows[0]["run"]["energy"]["max_error"]);
  EXPECT_NE(slurp(path("plot.svg")).find("gauss4"), std::string::npos);
}

TEST_F(Command, CompletionKnowsCommandsModelsAndIntegrators) {
  EXPECT_NE(hamel("completion words").out.find("equations\n"), std::string::npos);
  EXPECT_NE(hamel("completion words run").out.find("--integrator\n"), std::string::npos);
  EXPECT_NE(hamel("completion words check").out.find("spherical-pendulum\n"), std::string::npos);
  EXPECT_NE(hamel("completion words run --integrator").out.find("gauss16\n"), std::string::npos);
  for (const char* shell : {"bash", "zsh", "fish"}) EXPECT_EQ(hamel(std::string("completion ") + shell).code, 0);
}

}  // namespace
}  // namespace hamel::test
