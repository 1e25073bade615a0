#include "hamel/studio/desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "hamel/record/file_run.hpp"
#include "hamel/record/output_file.hpp"
#include "hamel/report/run_page.hpp"
#include "studio/folder.hpp"
#include "studio/perform.hpp"

namespace hamel {

namespace {

using studio::Json;
using Moment = std::chrono::steady_clock::time_point;

constexpr double slice = 20, first_look = 150;  // milliseconds; then twice as long each time
constexpr std::size_t most_waiting = 100, most_waiting_bytes = std::size_t{32} << 20;

double milliseconds_since(Moment begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

struct Going {
  int id;
  Json ask, begun;
  Moment since;
  double next_look = first_look;
};

}  // namespace

class Desk::Work {
 public:
  Work(const std::string& folder, Say say) : folder_(folder), say_(std::move(say)) {}

  void hear(const std::string& text);
  void close();
  void work();

 private:
  struct Question {
    int id;
    std::string call;
    Json ask;
    std::size_t size;
  };

  void reply(int id, const std::string& rest);
  void refuse(int id, const Json& why);
  std::optional<Question> next(bool waits);
  bool is_stopped(int id);
  void answer(const Question& question);
  std::string performed(const Question& question);
  Json recorded(const Question& question);
  std::string opened(const std::string& name) const;
  void begin(const Question& question);
  bool go_on(Going& run);

  studio::Session session_;
  studio::Folder folder_;
  Say say_;
  std::vector<Going> runs_;

  std::mutex saying_, hearing_;
  std::condition_variable heard_;
  std::deque<Question> questions_;
  std::size_t waiting_bytes_ = 0;
  std::vector<int> stopped_;
  int recording_ = 0;
  bool is_closed_ = false;
  std::atomic<bool> stop_recording_{false};
};

void Desk::Work::reply(int id, const std::string& rest) {
  const std::lock_guard lock(saying_);
  say_(fmt::format(R"({{"id":{},{}}})", id, rest));
}

void Desk::Work::refuse(int id, const Json& why) {
  reply(id, fmt::format(R"("kind":"refused","why":{})", studio::text_of(why)));
}

void Desk::Work::hear(const std::string& text) {
  int id = 0;
  try {
    Json question = Json::parse(text);
    const std::unique_lock lock(hearing_);
    if (question.contains("stop")) {
      id = question["stop"].get<int>();
      if (id == recording_) stop_recording_ = true;
      if (stopped_.size() < most_waiting) stopped_.push_back(id);
      return;
    }
    id = question.at("id").get<int>();
    if (questions_.size() >= most_waiting || waiting_bytes_ + text.size() > most_waiting_bytes)
      throw std::runtime_error("too much is waiting for an answer");
    questions_.push_back({id, question.at("call").get<std::string>(), std::move(question["ask"]), text.size()});
    waiting_bytes_ += text.size();
    heard_.notify_one();
  } catch (const std::exception& error) {
    refuse(id, studio::why(error));
  }
}

void Desk::Work::close() {
  const std::lock_guard lock(hearing_);
  is_closed_ = true;
  stop_recording_ = true;
  heard_.notify_one();
}

std::optional<Desk::Work::Question> Desk::Work::next(bool waits) {
  std::unique_lock lock(hearing_);
  if (waits) heard_.wait(lock, [this] { return is_closed_ || !questions_.empty(); });
  if (is_closed_ || questions_.empty()) return {};
  Question question = std::move(questions_.front());
  questions_.pop_front();
  waiting_bytes_ -= question.size;
  return question;
}

bool Desk::Work::is_stopped(int id) {
  const std::lock_guard lock(hearing_);
  return is_closed_ || std::erase(stopped_, id) > 0;
}

void Desk::Work::work() {
  for (;;) {
    while (const std::optional<Question> question = next(runs_.empty())) answer(*question);
    {
      const std::lock_guard lock(hearing_);
      if (is_closed_) return;
    }
    std::erase_if(runs_, [this](Going& run) { return !go_on(run); });
  }
}

void Desk::Work::answer(const Question& question) {
  try {
    if (question.call == "run") return begin(question);
    reply(question.id, R"("kind":"done","answer":)" + performed(question));
  } catch (const std::exception& error) {
    refuse(question.id, studio::why(error));
  }
}

std::string Desk::Work::performed(const Question& question) {
  const auto name = [&] { return question.ask.at("name").get<std::string>(); };
  if (question.call == "files") return studio::text_of(folder_.list());
  if (question.call == "open") return studio::text_of({{"text", folder_.read(name())}});
  if (question.call == "save") {
    folder_.write(name(), question.ask.at("text").get<std::string>());
    return "{}";
  }
  if (question.call == "record") return studio::text_of(recorded(question));
  if (question.call == "recorded") return opened(folder_.path_of(name(), ".h5"));
  return studio::perform(session_, question.call, question.ask);
}

Json Desk::Work::recorded(const Question& question) {
  {
    const std::lock_guard lock(hearing_);
    stop_recording_ = is_closed_ || std::erase(stopped_, question.id) > 0;
    recording_ = question.id;
  }
  const std::string path = folder_.path_of(question.ask.at("name").get<std::string>(), ".h5");
  const auto progress = [&](double fraction) {
    reply(question.id, fmt::format(R"("kind":"progress","fraction":{},"page":null)", fraction));
  };
  return session_.record(question.ask, path, progress, stop_recording_);
}

std::string Desk::Work::opened(const std::string& path) const {
  need_regular_file(path);
  const RecordReader reader(path);
  const ModelFile file = model_of(reader.header(), path);
  const Page page = motion_page(read_record(reader, {.at_most = PageLimits().frames}), file);
  return fmt::format(R"({{"text":{},"damage":{},"page":{}}})", studio::text_of(reader.header().model_text),
                     studio::text_of(reader.damage()), page_data(page));
}

void Desk::Work::begin(const Question& question) {
  std::erase_if(runs_, [&](const Going& run) { return run.id == question.id; });
  runs_.push_back({question.id, question.ask, session_.begin(question.ask), std::chrono::steady_clock::now()});
}

// False when it has its answer.
bool Desk::Work::go_on(Going& run) {
  try {
    if (is_stopped(run.id)) {
      reply(run.id, R"("kind":"done","answer":null)");
      return false;
    }
    const Json state = session_.advance({{"run", run.ask.at("run")}, {"milliseconds", slice}});
    const bool goes_on = state.at("goes_on").get<bool>();
    const bool looks = !goes_on || milliseconds_since(run.since) > run.next_look;
    const std::string page = looks ? session_.page(run.ask) : "null";
    if (goes_on) {
      if (looks) run.next_look = 2 * milliseconds_since(run.since);
      reply(run.id,
            fmt::format(R"("kind":"progress","fraction":{},"page":{})", studio::text_of(state.at("fraction")), page));
    } else {
      const Json failure = state.contains("failure") ? state["failure"] : Json();
      reply(run.id, fmt::format(R"("kind":"done","answer":{{"page":{},"settings":{},"remarks":{},"failure":{}}})", page,
                                studio::text_of(run.begun.at("settings")), studio::text_of(run.begun.at("remarks")),
                                studio::text_of(failure)));
    }
    return goes_on;
  } catch (const std::exception& error) {
    refuse(run.id, studio::why(error));
    return false;
  }
}

Desk::Desk(const std::string& folder, Say say) : work_(std::make_unique<Work>(folder, std::move(say))) {}
Desk::~Desk() = default;
void Desk::hear(const std::string& question) { work_->hear(question); }
void Desk::close() { work_->close(); }
void Desk::work() { work_->work(); }

}  // namespace hamel
