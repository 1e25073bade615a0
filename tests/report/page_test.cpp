#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <hamel/report/page.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/base64.hpp"
#include "report/template.hpp"

namespace hamel::page_test {
namespace {

using Json = nlohmann::json;

Page small_page() {
  Page page{.title = "A pendulum", .time = {0, 0.5, 1}};
  page.charts.push_back({.title = "Energy", .unit = "J", .series = {{"E", {1, 2, 3}}}});
  page.scene.tracks = {{3, {0, 0, 0}}, {3, {1, 0, 0, 0, 1, 0, -1, 0, 0}}};
  page.scene.objects = {{.kind = Drawn::link, .at = 0, .to = 1}, {.kind = Drawn::point, .name = "x", .at = 1}};
  return page;
}

Page long_page(std::size_t frames) {
  Page page{.title = "long"};
  for (std::size_t i = 0; i < frames; ++i) page.time.push_back(static_cast<double>(i));
  page.charts.push_back({.title = "Time", .series = {{"t", page.time}}});
  for (int k = 0; k < 4; ++k) page.scene.tracks.push_back({3, std::vector<float>(3 * frames, 0.5F)});
  return page;
}

Json data_of(const std::string& html) {
  const std::string begin = "id=\"hamel-data\">";
  const std::size_t first = html.find(begin) + begin.size();
  return Json::parse(html.substr(first, html.find("</script>", first) - first));
}

std::vector<double> unpacked(const std::string& text) {
  static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    have += 6;
    if (have >= 8) bytes += static_cast<char>(bits >> (have -= 8) & 255U);
  }
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

template <class Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string refusal(const Page& page) {
  return message_of<std::logic_error>([&] { to_html(page); });
}

class InFolder : public ::testing::Test {
 protected:
  InFolder() : folder_(std::filesystem::temp_directory_path() / ("hamel_report_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~InFolder() override { std::filesystem::remove_all(folder_); }

  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

TEST(Base64, AgreesWithRfc4648) {
  const auto encode = [](const std::string& s) {
    return base64({reinterpret_cast<const unsigned char*>(s.data()), s.size()});
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foob"), "Zm9vYg==");
  EXPECT_EQ(encode("\xff\xfe\xfd"), "//79");
}

TEST(Page, ItsDataIsInTheTemplate) {
  const Json data = data_of(to_html(small_page()));
  EXPECT_EQ(data["title"], "A pendulum");
  EXPECT_EQ(unpacked(data["time"]["f64"]), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(unpacked(data["charts"][0]["series"][0]["values"]["f64"]), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(data["scene"]["objects"][0]["kind"], "link");
  EXPECT_EQ(data["scene"]["objects"][0]["to"], 1);
  EXPECT_EQ(data["scene"]["tracks"][1]["f32"].get<std::string>().size(), 48U);
  EXPECT_EQ(data["note"], "");
}

TEST(Page, SaysWhatWasKept) {
  Page page = small_page();
  page.conserved = {{.name = "energy", .max_error = 5e-11, .slope = 1e-12, .slope_error = 1e-15, .terms = 1, .size = 1},
                    {.name = "momentum", .initial = 3.07, .max_error = 1.78, .terms = 5, .size = 5}};
  const Json conserved = data_of(to_html(page))["conserved"];
  EXPECT_EQ(conserved[0]["kept"], "drifting");
  EXPECT_EQ(conserved[0]["slope"], 1e-12);
  EXPECT_EQ(conserved[0]["digits"], 10);
  EXPECT_EQ(conserved[1]["kept"], "lost");
}

TEST(Page, TextCannotEndTheScript) {
  Page page = small_page();
  page.model_text = "</script><script>alert(1)</script> <!-- \" \\ \n";
  const std::string html = to_html(page);
  EXPECT_EQ(count(html, "</script"), count(std::string(page_template()), "</script"));
  EXPECT_EQ(data_of(html)["model_text"], page.model_text);
}

TEST(Page, TextThatIsNotUtf8IsRepaired) {
  Page page = small_page();
  page.title = "caf\xe9";
  EXPECT_EQ(data_of(to_html(page))["title"], "caf\xef\xbf\xbd");
}

TEST(Page, RefusesNumbersThatAreNotFinite) {
  Page page = small_page();
  page.charts[0].series[0].values[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      refusal(page),
      "the report \"A pendulum\" cannot be written: series \"E\" of chart \"Energy\" is nan at t = 0.5 (frame 1); "
      "end the run before, or leave it out");
  page = small_page();
  page.scene.tracks[1].values[7] = std::numeric_limits<float>::infinity();
  EXPECT_NE(refusal(page).find("track 1 of the scene is inf at t = 1 (frame 2)"), std::string::npos);
  page = small_page();
  page.conserved.push_back({.name = "energy", .max_error = std::numeric_limits<double>::infinity()});
  EXPECT_NE(refusal(page).find("energy is 0 with an error of inf"), std::string::npos);
}

TEST(Page, RefusesWhatDoesNotFitTogether) {
  Page page = small_page();
  page.charts[0].series[0].values.pop_back();
  EXPECT_NE(refusal(page).find("has 2 values, but there are 3 times"), std::string::npos);
  page = small_page();
  page.scene.objects[0].to = 7;
  EXPECT_NE(refusal(page).find("track 7 is not there"), std::string::npos);
  page = small_page();
  page.scene.tracks[1].values.resize(6);
  EXPECT_NE(refusal(page).find("track 1 has 6 numbers; 3 frames of 3 have 9"), std::string::npos);
  page = small_page();
  page.time = {0, 2, 1};
  EXPECT_NE(refusal(page).find("time goes back from 2 to 1"), std::string::npos);
  page.time.clear();
  EXPECT_NE(refusal(page).find("it has no times"), std::string::npos);
}

TEST(Frames, AreEvenAndKeepBothEnds) {
  EXPECT_EQ(chosen_frames(5, 9), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(chosen_frames(9, 5), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
  EXPECT_EQ(chosen_frames(1000, 2), (std::vector<std::size_t>{0, 999}));
  EXPECT_EQ(chosen_frames(1000, 0), (std::vector<std::size_t>{0, 999}));
  EXPECT_EQ(chosen_frames(1, 5), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(chosen_frames(0, 5).empty());
}

TEST(Page, IsThinnedToItsLimit) {
  const Page page = long_page(30'000);
  const std::size_t limit = page_template().size() + 100'000;
  const std::string html = to_html(page, {.bytes = limit});
  EXPECT_LT(html.size(), limit);
  EXPECT_GT(html.size(), limit - 2'000);
  const Json data = data_of(html);
  const std::vector<double> time = unpacked(data["time"]["f64"]);
  EXPECT_EQ(time.front(), 0);
  EXPECT_EQ(time.back(), 29'999);
  EXPECT_EQ(unpacked(data["charts"][0]["series"][0]["values"]["f64"]), time);
  EXPECT_EQ(data["note"], std::to_string(time.size()) + " of 30000 recorded states are shown.");
}

TEST(Page, StaysUnder20Megabytes) {
  const Page page = long_page(300'000);
  EXPECT_LT(to_html(page, {.frames = 300'000}).size(), 20'000'000U);
}

TEST_F(InFolder, AReportIsOneFile) {
  write_report(folder_ / "run.html", small_page());
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(text_of(folder_ / "run.html"), to_html(small_page()));
}

TEST_F(InFolder, AFullDiskKeepsTheOldReport) {
  const auto path = folder_ / "run.html";
  std::ofstream(path) << "old";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of<std::runtime_error>([&] { write_report(path, small_page(), true); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal_before);
  EXPECT_EQ(message, "cannot write " + path.string() + ": File too large; nothing was written");
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(InFolder, SaysWhyItCannotBeWritten) {
  const auto nowhere = folder_ / "missing" / "run.html";
  EXPECT_EQ(message_of<std::runtime_error>([&] { write_report(nowhere, small_page()); }),
            "cannot write " + nowhere.string() + ": the folder " + nowhere.parent_path().string() +
                ": No such file or directory; give another path");
  std::filesystem::create_directory(folder_ / "run.html");
  EXPECT_NE(
      message_of<std::runtime_error>([&] { write_report(folder_ / "run.html", small_page(), true); }).find("a folder"),
      std::string::npos);
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace hamel::page_test
