// What stands behind `hamel studio`: questions from another thread, runs in slices, one folder.
#include "hamel/studio/desk.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace hamel::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* spinning = R"toml(name = "Top"
[coordinates]
R = "SO3"
[energy]
kinetic = "omega(R).x^2 + omega(R).y^2 + omega(R).z^2/2"
[start]
R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
omega.R = [1, 0.1, 2]
[run]
integrator = "rk4"
step = 0.01
until = 2
)toml";

class AtADesk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("hamel-desk-" + std::to_string(getpid()));
    fs::create_directory(folder_);
    desk_.emplace(folder_.string(), [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      replies_.push_back(Json::parse(text));
      said_.notify_all();
    });
    worker_ = std::thread([this] { desk_->work(); });
  }
  void TearDown() override {
    desk_->close();
    worker_.join();
    fs::remove_all(folder_);
  }

  int send(const std::string& call, const Json& ask = Json::object()) {
    desk_->hear(Json{{"id", ++last_}, {"call", call}, {"ask", ask}}.dump());
    return last_;
  }
  Json reply(int id, const std::string& kind = "") {
    std::unique_lock lock(mutex_);
    const auto is_it = [&](const Json& one) {
      return one.at("id") == id && (kind.empty() ? one.at("kind") != "progress" : one.at("kind") == kind);
    };
    std::vector<Json>::iterator found;
    const bool came = said_.wait_for(lock, std::chrono::seconds(60), [&] {
      found = std::find_if(replies_.begin(), replies_.end(), is_it);
      return found != replies_.end();
    });
    return came ? *found : Json();
  }
  Json ask(const std::string& call, const Json& what = Json::object()) { return reply(send(call, what)).at("answer"); }
  std::string refusal(const std::string& call, const Json& what = Json::object()) {
    const Json answer = reply(send(call, what));
    return answer.at("kind") == "refused" ? answer.at("why").at("message").get<std::string>() : "";
  }

  fs::path folder_;
  std::optional<Desk> desk_;
  std::thread worker_;
  std::mutex mutex_;
  std::condition_variable said_;
  std::vector<Json> replies_;
  int last_ = 0;
};

TEST_F(AtADesk, ARunGoesOnBetweenQuestionsAndCanBeStopped) {
  ask("read", {{"text", spinning}});
  const int run = send("run", {{"run", 1}, {"until", 1e6}});
  EXPECT_EQ(reply(run, "progress").at("kind"), "progress");
  EXPECT_EQ(ask("examine").at("degrees_of_freedom"), 3);
  desk_->hear(Json{{"stop", run}}.dump());
  EXPECT_EQ(reply(run).at("answer"), nullptr);
}

TEST_F(AtADesk, ARunHasItsPageInTheEnd) {
  ask("read", {{"text", spinning}});
  const Json outcome = ask("run", {{"run", 1}});
  EXPECT_EQ(outcome.at("settings").at("integrator"), "rk4");
  EXPECT_EQ(outcome.at("failure"), nullptr);
  EXPECT_EQ(outcome.at("page").at("title"), "Top");
}

TEST_F(AtADesk, ARecordIsWrittenAndOpenedAgain) {
  ask("read", {{"text", spinning}});
  const Json written = ask("record", {{"name", "top.h5"}});
  EXPECT_EQ(written.at("rows"), 201);
  EXPECT_EQ(written.at("finished"), true);
  const Json opened = ask("recorded", {{"name", "top.h5"}});
  EXPECT_EQ(opened.at("text"), spinning);
  EXPECT_EQ(opened.at("damage"), "");
  EXPECT_EQ(opened.at("page").at("title"), "Top");
  EXPECT_NE(refusal("record", {{"name", "top.h5"}}).find("exists"), std::string::npos);
  EXPECT_EQ(ask("files").at("files")[0].at("name"), "top.h5");
}

TEST_F(AtADesk, AnEndlessRecordIsStopped) {
  ask("read", {{"text", spinning}});
  const int record = send("record", {{"name", "top.h5"}, {"until", 1e6}, {"every", 10}});
  reply(record, "progress");
  desk_->hear(Json{{"stop", record}}.dump());
  EXPECT_EQ(reply(record).at("answer").at("finished"), false);
}

TEST_F(AtADesk, FilesAreThoseOfTheFolder) {
  ask("save", {{"name", "top.toml"}, {"text", spinning}});
  EXPECT_EQ(ask("open", {{"name", "top.toml"}}).at("text"), spinning);
  std::ofstream(folder_ / "secret.txt") << "x";
  fs::create_directory(folder_ / "inner");
  std::ofstream(folder_ / "inner" / "top.toml") << "x";
  fs::create_symlink("/etc/passwd", folder_ / "link.toml");
  fs::create_symlink("/etc/passwd", folder_ / "link.h5");
  const Json files = ask("files").at("files");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].at("name"), "top.toml");
  for (const char* name : {"secret.txt", "inner/top.toml", "../top.toml", "..", "", ".hidden.toml", "/etc/passwd",
                           "link.toml", "missing.toml", "inner", "a\\b.toml", "a\n.toml", "\u202e.toml"})
    EXPECT_NE(refusal("open", {{"name", name}}), "") << name;
  EXPECT_NE(refusal("open", {{"name", std::string("top.toml\0.toml", 14)}}), "");
  EXPECT_NE(refusal("save", {{"name", "link.toml"}, {"text", "x"}}), "");
  EXPECT_NE(refusal("save", {{"name", "../new.toml"}, {"text", "x"}}), "");
  EXPECT_NE(refusal("recorded", {{"name", "link.h5"}}), "");
  EXPECT_FALSE(fs::exists(folder_.parent_path() / "new.toml"));
}

TEST_F(AtADesk, TooManyQuestionsAreRefused) {
  ask("read", {{"text", spinning}});
  const int record = send("record", {{"name", "top.h5"}, {"until", 1e6}, {"every", 10}});
  reply(record, "progress");
  for (int k = 0; k < 100; ++k) send("files");
  EXPECT_EQ(refusal("files"), "too much is waiting for an answer");
  desk_->hear("{");
  desk_->hear("[1]");
  EXPECT_EQ(reply(0).at("kind"), "refused");
}

}  // namespace
}  // namespace hamel::test
