// A model file from a stranger: its names say what they like, and do nothing.
#include "cli/command.hpp"

namespace hamel::test {
namespace {

std::string model_named(const std::string& toml_string) {
  return "name = " + toml_string +
         "\n[coordinates]\nq = \"S2\"\n[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q.z\"\n"
         "[start]\nq = [1, 0, 0]\nomega.q = [0, 0.1, 1]\n[run]\nstep = 0.01\nuntil = 0.1\n";
}

// Each of them ends a comment somewhere, if only the compiler splices lines or knows trigraphs.
TEST_F(Command, NamesOfModelsAreNoCode) {
  for (const char* name : {R"("x */ __attribute__((constructor)) static void f(void) { puts(\"ran\"); } /* y")",
                           R"("x *\\\n/ int injected; /* y")", R"("x *??/\n/ int injected; /* y")",
                           R"("// \\\n int injected; /* /* y *")", R"("\r\n*/ #error injected")", R"("double")"}) {
    SCOPED_TRACE(name);
    write("model.toml", model_named(name));
    const Result source = hamel("equations model.toml --c");
    ASSERT_EQ(source.code, 0) << source.err;
    write("field.c", source.out);
    for (const char* standard : {"-std=c99", "-std=gnu11 -trigraphs"}) {
      const Result compiled = shell(std::string("cc -Wall -Wextra -Werror -Wno-trigraphs -pedantic -c ") + standard +
                                    " field.c -o field.o");
      EXPECT_EQ(compiled.code, 0) << compiled.err << source.out;
      const Result symbols = shell("nm field.o");
      EXPECT_EQ(symbols.out.find(" injected\n"), std::string::npos);
      EXPECT_EQ(symbols.out.find(" puts\n"), std::string::npos);
    }
  }
}

TEST_F(Command, NamesOfModelsAreNoMarkup) {
  write("model.toml", model_named(R"("</text><script>alert(1)</script> R&D \"q\" \u0001 <!--")"));
  ASSERT_EQ(hamel("compare model.toml --integrators rk4,gauss4 --plot plot.svg --quiet").code, 0);
  const std::string svg = slurp(path("plot.svg"));
  EXPECT_NE(svg.find(">&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt; R&amp;D &quot;q&quot; \xEF\xBF\xBD &lt;!--<"),
            std::string::npos)
      << svg;
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  ASSERT_EQ(hamel("run model.toml --report run.html --quiet").code, 0);
  const std::string html = slurp(path("run.html"));
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/text>\\u003cscript>alert(1)\\u003c/script>"), std::string::npos);
}

TEST_F(Command, NamesOfModelsDoNotSteerTheTerminal) {
  write("model.toml", model_named(R"("\u001b]0;title\u0007 red\u001b[31m \u009b31m \u202Etxet")"));
  for (const char* command : {"check model.toml", "run model.toml", "run model.toml --step 5 --until 20"}) {
    SCOPED_TRACE(command);
    const Result result = hamel(command);
    for (const char* control : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"})
      EXPECT_EQ((result.out + result.err).find(control), std::string::npos);
  }
  write("bad.toml", "name = \"\x1b[31m\"\n");
  EXPECT_EQ(hamel("check bad.toml").err.find('\x1b'), std::string::npos);
}

// compgen -W expands the words that it is given.
TEST_F(Command, NamesOfFilesAreNotRunByTheCompletion) {
  fs::create_directory(path("models"));
  write("models/$(touch injected).toml", "");
  write("models/plain-1.toml", "");
  const Result words = shell("HAMEL_MODELS=models $hamel completion words check");
  EXPECT_NE(words.out.find("plain-1\n"), std::string::npos);
  EXPECT_EQ(words.out.find("injected"), std::string::npos);
}

}  // namespace
}  // namespace hamel::test
