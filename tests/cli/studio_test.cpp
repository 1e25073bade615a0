// `hamel studio`, as a browser uses it.
#include "cli/studio.hpp"

namespace hamel::test {
namespace {

using StudioServes = StudioCommand;

std::string question(int id, const std::string& call, const Json& ask) {
  return Json{{"id", id}, {"call", call}, {"ask", ask}}.dump();
}

TEST_F(StudioServes, ThePageWithItsEngineAndTheFile) {
  open();
  const std::string page = get("");
  EXPECT_EQ(status_of(page), 200);
  EXPECT_NE(page.find("content=\"native file\""), std::string::npos) << page;
  EXPECT_NE(page.find("Content-Type: text/html; charset=utf-8\r\n"), std::string::npos);
  EXPECT_NE(get("studio.js").find("\r\n\r\n// the script"), std::string::npos);
  EXPECT_NE(get("pictures/top.webp?v=1").find("a picture"), std::string::npos);
  EXPECT_EQ(status_of(get("empty.css")), 200);
  EXPECT_EQ(answer(head("HEAD", at("studio.js"))).find("// the script"), std::string::npos);
}

TEST_F(StudioServes, WhatIsAskedIsAnswered) {
  open();
  Events events = listen();
  EXPECT_TRUE(events.hear(R"("kind":"file","name":"pendulum.toml","writable":true)")) << events.heard;
  EXPECT_EQ(status_of(post(events.page, question(1, "read", {{"text", small_model}}))), 204);
  EXPECT_EQ(status_of(post(events.page, question(2, "run", {{"run", 1}}))), 204);
  EXPECT_TRUE(events.hear("\"title\":\"Pendulum\"")) << events.heard;
  EXPECT_EQ(status_of(post(events.page, "{\"id\": 3")), 204);
  EXPECT_TRUE(events.hear("\"id\":0")) << events.heard;
}

TEST_F(StudioServes, AnotherEditorIsSeen) {
  open();
  Events events = listen();
  EXPECT_TRUE(events.hear("potential"));
  write("models/pendulum.toml", std::string("# changed in place\n") + small_model);
  EXPECT_TRUE(events.hear("changed in place")) << events.heard;
  write("models/.new", std::string("# another file\n") + small_model);
  fs::rename(path("models/.new"), path("models/pendulum.toml"));
  EXPECT_TRUE(events.hear("another file")) << events.heard;
  fs::remove(path("models/pendulum.toml"));
  std::this_thread::sleep_for(milliseconds(300));
  write("models/pendulum.toml", std::string("# back again\n") + small_model);
  EXPECT_TRUE(events.hear("back again")) << events.heard;
}

TEST_F(StudioServes, AModelOfTheGalleryIsNotWritten) {
  open("heavy-top");
  Events events = listen();
  EXPECT_TRUE(events.hear("\"writable\":false")) << events.heard;
  post(events.page, question(1, "save", {{"name", "heavy-top.toml"}, {"text", "x"}}));
  EXPECT_TRUE(events.hear("no folder is open")) << events.heard;
}

TEST_F(StudioServes, RunLiveShowsTheRun) {
  for (const char* wrong : {"--out run.h5", "--report run.html", "--start 'q=[0, 0, 1]'", "--set 'l=[1, 2]'"})
    EXPECT_EQ(shell(std::string("HAMEL_STUDIO=page timeout 20 $hamel run models/pendulum.toml --live ") + wrong).code,
              2)
        << wrong;
  const Result shown = shell(
      "export HAMEL_STUDIO=page; $hamel run models/pendulum.toml --live --integrator rk4 --set l=2 --until 3 --json > "
      "out & "
      "for k in $(seq 100); do grep -q address out && break; sleep 0.05; done; "
      "python3 -c 'import json, urllib.request as u; a = json.load(open(\"out\"))[\"address\"]; "
      "r = u.urlopen(a + \"events\"); print(r.readline(), r.readline(), r.readline())'; kill -TERM $!; wait $!");
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find(R"("changes":{"l":2.0},"run":{"integrator":"rk4","until":3.0})"), std::string::npos)
      << shown.out;
}

// A browser is started by xdg-open, which here writes down what it is to show.
TEST_F(StudioServes, ABrowserIsStartedOnlyWhenAsked) {
  write("xdg-open", "#!/bin/sh\necho \"$1\" > opened\n");
  fs::permissions(path("xdg-open"), fs::perms::owner_all);
  const std::string before = "export HAMEL_STUDIO=page PATH=.:$PATH; ";
  const auto opened = [&](const std::string& option) {
    fs::remove(path("err"));
    const pid_t studio = start("studio models/pendulum.toml " + option, before);
    for (int k = 0; k < 3000 && slurp(path("err")).find("until Ctrl-C") == std::string::npos; ++k)
      std::this_thread::sleep_for(milliseconds(10));
    for (int k = 0; k < (option == "--open" ? 1000 : 50) && !fs::exists(path("opened")); ++k)
      std::this_thread::sleep_for(milliseconds(10));
    kill(studio, SIGINT);
    EXPECT_EQ(exit_code(studio), 0);
    return fs::remove(path("opened"));
  };
  EXPECT_TRUE(opened("--open"));
  EXPECT_FALSE(opened("--no-open"));
  EXPECT_FALSE(opened("")) << "there is no display";
}

TEST_F(StudioServes, CtrlCEndsItPromptly) {
  open();
  std::vector<Events> clients;
  for (int k = 0; k < 3; ++k) clients.push_back(listen());
  post(clients[2].page, question(1, "read", {{"text", small_model}}));
  post(clients[2].page, question(2, "record", {{"name", "run.h5"}, {"until", 1e9}, {"every", 100}}));
  EXPECT_TRUE(clients[2].hear("progress")) << clients[2].heard;
  const Socket slow(port_);
  slow.send("GET ");
  const std::vector<int> processes = engines();
  EXPECT_EQ(processes.size(), 3U);
  const auto began = Clock::now();
  kill(server_, SIGINT);
  EXPECT_EQ(exit_code(std::exchange(server_, -1)), 0);
  EXPECT_LT(Clock::now() - began, milliseconds(3000));
  for (const int process : processes) EXPECT_EQ(kill(process, 0), -1) << "an engine is left";
  EXPECT_EQ(hamel("report models/run.h5 --json").json()["finished"], false);
}

TEST_F(StudioServes, AKilledServerLeavesNoEngine) {
  open();
  const Events events = listen();
  const std::vector<int> processes = engines();
  ASSERT_EQ(processes.size(), 1U);
  kill(server_, SIGKILL);
  exit_code(std::exchange(server_, -1));
  EXPECT_TRUE(becomes([&] {
    return slurp("/proc/" + std::to_string(processes[0]) + "/stat").find(") Z ") != std::string::npos ||
           kill(processes[0], 0) == -1;
  }));
}

TEST_F(StudioServes, AKilledEngineIsSaidAndTheServerGoesOn) {
  open();
  Events events = listen();
  kill(engines().at(0), SIGKILL);
  EXPECT_TRUE(events.hear("\"kind\":\"ended\"")) << events.heard;
  EXPECT_TRUE(is_alive());
  EXPECT_TRUE(becomes([&] { return engines().empty(); }));
}

TEST_F(StudioServes, WordsForWhatCannotBe) {
  open();
  const std::string used = std::to_string(port_);
  const std::string before = "export HAMEL_STUDIO=page; timeout 20 $hamel studio ";
  EXPECT_EQ(shell(before + "--port " + used).err,
            "error: port " + used + " is in use, or may not be used; without --port a free one is taken\n");
  EXPECT_EQ(shell(before + "--port 70000").code, 2);
  EXPECT_NE(shell(before + "missing.toml").err.find("there is no model file missing.toml"), std::string::npos);
  EXPECT_EQ(shell(before + "-").code, 2);
  EXPECT_NE(shell("HAMEL_STUDIO=models timeout 20 $hamel studio --port " + used).err.find("error: "),
            std::string::npos);
  write("page/index.html", "<p>an older page</p>");
  EXPECT_NE(shell(before).err.find("is of another version of hamel: run make studio-page"), std::string::npos);
}

}  // namespace
}  // namespace hamel::test
