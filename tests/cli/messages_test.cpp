// What the command says to people who mistype, to programs, and to those who want to hear nothing.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

constexpr const char* mistaken = "[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(p')\"\n";
constexpr const char* rounded =
    "[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(q')/2\"\n[start]\nq = [0.577, 0.577, 0.577]\n";

TEST_F(Command, SuggestsWhatWasMeant) {
  const std::pair<const char*, const char*> cases[] = {
      {"chek x", "error: there is no command chek; did you mean check?\n"},
      {"fly", "error: there is no command fly; hamel --help shows them all\n"},
      {"", "error: which command? hamel --help shows them\n"},
      {"run spherical-pendulum --untl 3", "error: run has no option --untl; did you mean --until?\n"},
      {"run spherical-pendulum --untl=3", "error: run has no option --untl; did you mean --until?\n"},
      {"list --fast", "error: list has no option --fast; hamel list --help shows them all\n"},
      {"run spherical-pendulum --integrator gaus8",
       "error: --integrator: unknown integrator gaus8; did you mean gauss8?\n"},
      {"compare spherical-pendulum --integrators rk4,variatonal",
       "error: --integrators: unknown integrator variatonal; did you mean variational?\n"},
      {"equations spherical-pendulum --form omgea", "error: --form: unknown form omgea; did you mean omega?\n"},
      {"check sherical-pendulum",
       "error: there is no model file sherical-pendulum, and no such model in the gallery; did you mean "
       "spherical-pendulum?\n"}};
  for (const auto& [arguments, message] : cases) EXPECT_EQ(hamel(arguments).err, message);
}

TEST_F(Command, ErrorsAreJsonForPrograms) {
  write("bad.toml", mistaken);
  const Result bad = hamel("check bad.toml --json");
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_EQ(Json::parse(bad.err)["error"],
            Json({{"message", "unknown name p"}, {"file", "bad.toml"}, {"line", 4}, {"column", 18}}));
  const Result usage = hamel("run --json --untl 3");
  EXPECT_EQ(usage.code, 2);
  EXPECT_EQ(Json::parse(usage.err)["error"]["message"], "run has no option --untl; did you mean --until?");
  EXPECT_EQ(Json::parse(hamel("report none.h5 --json").err)["error"].size(), 1U);
  write("rounded.toml", rounded);
  const Result note = hamel("check rounded.toml --json");
  EXPECT_EQ(Json::parse(note.err)["note"], "q in [start] was off by 0.00061 and was corrected");
  EXPECT_EQ(note.json()["degrees_of_freedom"], 2);
  const Result odd = hamel("new $(printf 'caf\\351') --json");  // a name that is not UTF-8
  EXPECT_EQ(odd.code, 0) << odd.err;
  EXPECT_EQ(odd.json()["path"], "caf\xEF\xBF\xBD.toml");
}

TEST_F(Command, QuietIsQuiet) {
  write("rounded.toml", rounded);
  for (const char* command :
       {"new mine", "list", "check rounded.toml", "equations spherical-pendulum", "equations spherical-pendulum --c",
        "run spherical-pendulum --until 0.1 --out run.h5 --report run.html", "report run.h5 --out report.html",
        "convert run.h5 --csv", "compare spherical-pendulum --integrators rk4 --until 0.1 --plot plot.svg"}) {
    SCOPED_TRACE(command);
    const Result quiet = hamel(std::string(command) + " -q");
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
  }
  EXPECT_EQ(hamel("check rounded.toml -q --json").json()["degrees_of_freedom"], 2);
  EXPECT_EQ(hamel("convert run.h5 --csv - -q").out.substr(0, 6), "t,q.x,");
  write("bad.toml", mistaken);
  EXPECT_NE(hamel("check bad.toml -q").err, "");
  EXPECT_EQ(shell("HAMEL_CC=nothing $hamel run double-spherical-pendulum --until 1000 --every 10 -q").err, "");
}

TEST_F(Command, ModelsComeFromStandardInput) {
  write("bad.toml", mistaken);
  EXPECT_EQ(shell("cat bad.toml | $hamel check -").err.substr(0, 43), "error: standard input:4:18: unknown name p\n");
  const std::string model = "cat $HAMEL_MODELS/spherical-pendulum.toml | $hamel ";
  EXPECT_EQ(shell(model + "check - --json").json()["model"], "Spherical pendulum");
  EXPECT_EQ(shell(model + "run - --until 0.1 --out run.h5 --quiet").code, 0);
  EXPECT_EQ(hamel("report run.h5 --json").json()["model"], "Spherical pendulum");
  EXPECT_NE(shell("head -c 5000000 /dev/zero | $hamel check -").err.find("more than the 4000000 bytes"),
            std::string::npos);
  EXPECT_NE(shell("truncate -s 100G huge.toml && $hamel check huge.toml").err.find("more than the 4000000 bytes"),
            std::string::npos);
}

TEST_F(Command, ModelsAreCopied) {
  EXPECT_EQ(hamel("new top --from heavy-top").code, 0);
  EXPECT_EQ(slurp(path("top.toml")), slurp(fs::path(HAMEL_SOURCE_DIR) / "models" / "heavy-top.toml"));
  EXPECT_EQ(hamel("new other --from heavy-tap").code, 1);
  EXPECT_EQ(hamel("new top --from top.toml --overwrite").code, 1);  // itself
}

TEST_F(Command, TheStartIsGivenOnTheLine) {
  const Json check = hamel("check spherical-pendulum --start 'q=[0,0,-1]' --start 'omega.q=[2,0,0]' --json").json();
  EXPECT_EQ(check["start"]["q"]["values"], Json({0, 0, -1}));
  EXPECT_EQ(check["start"]["q"]["rates"], Json({0, 2, 0}));  // (2, 0, 0) x (0, 0, -1)
  const Result unknown = hamel("run spherical-pendulum --start 'p=[0,0,1]'");
  EXPECT_EQ(unknown.err.substr(0, 50), "error: --start:1:1: the model has no coordinate p\n");
  EXPECT_EQ(hamel("run spherical-pendulum --start q").code, 2);
  const std::string run = "run spherical-pendulum --quiet --out run.h5 ";
  ASSERT_EQ(hamel(run + "--until 0.1 --start 'q=[0,1,0]'").code, 0);
  const std::string csv = hamel("convert run.h5 --csv - ").out;
  EXPECT_EQ(csv.substr(csv.find('\n') + 1, 8), "0,0,1,0,");
  EXPECT_EQ(hamel(run + "--resume --until 0.2").code, 1);
  EXPECT_EQ(hamel(run + "--resume --until 0.2 --start 'q=[0,1,0]'").code, 0);
}

TEST_F(Command, HalvingsHaveOneLimit) {
  EXPECT_EQ(hamel("run spherical-pendulum --until 0.1 --halvings 20 --quiet").code, 0);
  const Result many = hamel("run spherical-pendulum --until 0.1 --halvings 21");
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.err.find("20"), std::string::npos) << many.err;
}

}  // namespace
}  // namespace hamel::test
