// `hamel studio` in the background, and what talks to it: bytes on a socket, right or wrong.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <thread>

#include "cli/command.hpp"

namespace hamel::test {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class Socket {
 public:
  explicit Socket(int port) : number_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(number_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) close();
  }
  ~Socket() { close(); }
  Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Socket& operator=(Socket&&) = delete;

  // As much as is taken within the time; false if not all of it.
  bool send(std::string_view text, milliseconds patience = milliseconds(5000)) const {
    const auto until = Clock::now() + patience;
    while (!text.empty() && Clock::now() < until) {
      pollfd ready{.fd = number_, .events = POLLOUT, .revents = 0};
      if (::poll(&ready, 1, 100) <= 0) continue;
      const ssize_t count = ::send(number_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return text.empty();
  }
  void half_close() const { ::shutdown(number_, SHUT_WR); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

  // All that comes until the other side closes, or until this text is there.
  std::string receive(milliseconds patience = milliseconds(10000), const std::string& until = "") {
    const auto end = Clock::now() + patience;
    std::string text;
    std::vector<char> buffer(65536);
    while (Clock::now() < end && (until.empty() || text.find(until) == std::string::npos)) {
      pollfd ready{.fd = number_, .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, 50) <= 0) continue;
      const ssize_t count = ::recv(number_, buffer.data(), buffer.size(), 0);
      is_closed_ = count <= 0;
      if (is_closed_) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  bool is_closed() const { return is_closed_; }  // seen by receive

 private:
  int number_;
  bool is_closed_ = false;
};

inline int status_of(const std::string& response) {
  return response.starts_with("HTTP/1.") ? std::stoi(response.substr(9, 3)) : 0;
}

constexpr const char* small_model = R"toml(name = "Pendulum"
[parameters]
l = 1.0
[coordinates]
q = "S2"
[energy]
kinetic = "l^2/2*norm2(q')"
potential = "-9.81*l*q.z"
[start]
q = [1, 0, 0]
[run]
step = 0.01
until = 1
)toml";

class StudioCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    fs::create_directories(folder_ / "page" / "pictures");
    write("page/index.html", "<meta name=\"hamel-engine\" content=\"worker\" /><p>the page</p>");
    write("page/studio.js", "// the script");
    write("page/pictures/top.webp", "a picture");
    write("page/empty.css", "");
    write("secret.txt", "a secret");
    fs::create_symlink(folder_ / "secret.txt", folder_ / "page" / "link.html");
    fs::create_directory_symlink(folder_, folder_ / "page" / "out");
    fs::create_directory(folder_ / "models");
    write("models/pendulum.toml", small_model);
  }
  void TearDown() override {
    if (server_ > 0) {
      kill(server_, SIGKILL);
      exit_code(server_);
    }
    Command::TearDown();
  }

  // Waits until it has an address.
  void open(const std::string& arguments = "models/pendulum.toml") {
    const char* other = std::getenv("HAMEL_ATTACKED");  // another build of the command, such as a sanitized one
    const std::string command = other != nullptr ? other : HAMEL_COMMAND;
    server_ = fork();
    if (server_ == 0) {
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
      const std::string line = "cd " + folder_.string() + " && export HAMEL_STUDIO=page HAMEL_NATIVE=0 HAMEL_MODELS=" +
                               HAMEL_SOURCE_DIR "/models; exec " + command + " studio " + arguments +
                               " > address 2> err < /dev/null";
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    for (int k = 0; k < 3000 && slurp(path("address")).find('\n') == std::string::npos; ++k)
      std::this_thread::sleep_for(milliseconds(10));
    const std::string address = slurp(path("address"));
    ASSERT_TRUE(address.starts_with("http://127.0.0.1:")) << address << slurp(path("err"));
    const std::size_t slash = address.find('/', 17);
    port_ = std::stoi(address.substr(17, slash - 17));
    token_ = address.substr(slash + 1, 32);
  }

  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string head(const std::string& method, const std::string& target, const std::string& more = "") const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + more + "\r\n";
  }
  std::string at(const std::string& path) const { return "/" + token_ + "/" + path; }
  std::string answer(const std::string& request) const {
    Socket socket(port_);
    socket.send(request);
    return socket.receive();
  }
  std::string get(const std::string& path, const std::string& more = "") const {
    return answer(head("GET", at(path), more));
  }
  bool is_alive() const { return status_of(get("studio.js")) == 200; }

  // A page that listens.
  struct Events {
    Socket socket;
    std::string heard = {};
    int page = 0;

    bool hear(const std::string& text, milliseconds patience = milliseconds(10000)) {
      const auto until = Clock::now() + patience;
      while (heard.find(text) == std::string::npos && Clock::now() < until && !socket.is_closed())
        heard += socket.receive(milliseconds(50));
      return heard.find(text) != std::string::npos;
    }
  };
  Events listen() const {
    Events events{.socket = Socket(port_)};
    events.socket.send(head("GET", at("events")));
    const std::string opened = R"({"kind":"open","page":)";
    if (events.hear(opened)) events.page = std::stoi(events.heard.substr(events.heard.find(opened) + opened.size()));
    return events;
  }
  std::string post(int page, const std::string& body, const std::string& type = "application/json") const {
    return answer(head("POST", at("ask/" + std::to_string(page)),
                       "Content-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n") +
                  body);
  }

  std::vector<int> engines() const {
    const std::string id = std::to_string(server_);
    std::istringstream list(slurp("/proc/" + id + "/task/" + id + "/children"));
    std::vector<int> found;
    for (const auto& task : fs::directory_iterator("/proc/" + id + "/task")) {
      std::istringstream children(slurp(task.path() / "children"));
      for (int child = 0; children >> child;) found.push_back(child);
    }
    return found;
  }
  template <class Condition>
  bool becomes(const Condition& condition, milliseconds patience = milliseconds(5000)) const {
    for (const auto until = Clock::now() + patience; Clock::now() < until;
         std::this_thread::sleep_for(milliseconds(20)))
      if (condition()) return true;
    return condition();
  }
  long of_process(const std::string& key) const {  // VmHWM, in kB; Threads
    const std::string text = slurp("/proc/" + std::to_string(server_) + "/status");
    return std::stol(text.substr(text.find(key + ":") + key.size() + 1));
  }

  pid_t server_ = -1;
  int port_ = 0;
  std::string token_;
};

}  // namespace hamel::test
