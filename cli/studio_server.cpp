#include "studio_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/random.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "engine.hpp"
#include "hamel/studio/watched_file.hpp"
#include "studio_connection.hpp"

namespace hamel::cli {

namespace {

using httplib::Request, httplib::Response;
using std::chrono::milliseconds;

constexpr size_t most_connections = 64, most_pages = 10, most_body = size_t{8} << 20, token_size = 32;
constexpr int backlog = 128, kept_by_the_system = 256 << 10;  // bytes on their way to one client
constexpr milliseconds look_every{200}, sign_of_life{10000};

thread_local bool is_one_too_many = false;  // the connection that this thread serves
thread_local socket_t current_socket = INVALID_SOCKET;

std::string random_token() {
  std::array<unsigned char, token_size / 2> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) throw std::runtime_error("this system has no randomness");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// In a time that does not tell how much of it is right.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return difference == 0;
}

bool is_length(const std::string& text) {
  return !text.empty() && text.size() < 9 && text.find_first_not_of("0123456789") == std::string::npos &&
         std::stoul(text) <= most_body;
}

std::string type_of(const std::string& path) {
  static const std::map<std::string, std::string> types = {
      {"html", "text/html; charset=utf-8"}, {"js", "text/javascript"}, {"css", "text/css"},
      {"json", "application/json"},         {"webp", "image/webp"},    {"woff2", "font/woff2"},
      {"wasm", "application/wasm"},         {"svg", "image/svg+xml"},  {"webmanifest", "application/manifest+json"}};
  const auto found = types.find(path.substr(path.rfind('.') + 1));
  return found == types.end() ? "application/octet-stream" : found->second;
}

// A connection as cpp-httplib sees it.
class Stream : public httplib::Stream {
 public:
  explicit Stream(Connection& connection) : connection_(connection) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override { return connection_.read(to, size); }
  ssize_t write(const char* from, size_t size) override { return connection_.write(from, size); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_.socket(); }

 private:
  Connection& connection_;
};

// A thread for each connection. One that is too many is told so by the thread that accepts.
class Threads : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      is_one_too_many = count_ >= most_connections;
      if (!is_one_too_many) ++count_;
    }
    if (is_one_too_many) return task();
    try {
      std::thread([this, task] {
        task();
        const std::lock_guard lock(mutex_);
        --count_;
        idle_.notify_all();
      }).detach();
    } catch (const std::system_error&) {
      const std::lock_guard lock(mutex_);
      --count_;
      is_one_too_many = true;
      task();
    }
  }
  void shutdown() override {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  size_t count_ = 0;
};

// What one browser shows.
struct OpenPage {
  OpenPage(int id, const std::string& folder) : number(id), engine(folder) {}

  int number;
  std::mutex asking;
  Engine engine;
};

}  // namespace

class StudioServer::Server : private httplib::Server {
 public:
  Server(Site site, Shown shown, int port);

  std::string address() const { return fmt::format("http://{}/{}/", host_, token_); }
  void serve(const std::atomic<bool>& stop);

 private:
  bool process_and_close_socket(socket_t socket) override;
  HandlerResponse route(const Request& request, Response& response);
  int refusal(const Request& request, std::string& path) const;
  void give_file(const std::string& path, Response& response) const;
  void open_page(Response& response);
  int ask(const Request& request);
  bool relay(OpenPage& page, httplib::DataSink& sink);
  std::string file_event(const std::string& text) const;

  Site site_;
  Shown shown_;
  std::string token_ = random_token(), host_, local_host_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::map<int, std::shared_ptr<OpenPage>> pages_;
  int last_page_ = 0;
};

StudioServer::Server::Server(Site site, Shown shown, int port) : site_(std::move(site)), shown_(std::move(shown)) {
  constexpr const char* loopback = "127.0.0.1";
  new_task_queue = [] { return new Threads; };
  set_payload_max_length(most_body);
  // Without SO_REUSEPORT, with which two servers would share one port.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  set_default_headers({{"Cache-Control", "no-store"},
                       {"X-Content-Type-Options", "nosniff"},
                       {"X-Frame-Options", "DENY"},
                       {"Referrer-Policy", "no-referrer"},
                       {"Cross-Origin-Resource-Policy", "same-origin"},
                       {"Cross-Origin-Opener-Policy", "same-origin"}});
  set_pre_routing_handler([this](const Request& request, Response& response) { return route(request, response); });
  Post(".*", [this](const Request& request, Response& response) { response.status = ask(request); });
  const int bound = port == 0 ? bind_to_any_port(loopback) : bind_to_port(loopback, port) ? port : -1;
  if (bound < 0)
    throw std::runtime_error(port == 0 ? "no port of this machine can be had"
                                       : fmt::format("port {} is in use, or may not be used; without --port a free "
                                                     "one is taken",
                                                     port));
  ::listen(svr_sock_, backlog);  // a page has more files than cpp-httplib lets wait
  host_ = fmt::format("{}:{}", loopback, bound);
  local_host_ = fmt::format("localhost:{}", bound);
}

void StudioServer::Server::serve(const std::atomic<bool>& stop) {
  std::atomic<bool> is_over{false};
  std::thread listening([&] {
    listen_after_bind();
    is_over = true;
  });
  while (!is_over && (!stop || !is_running())) std::this_thread::sleep_for(milliseconds(20));
  stop_ = true;
  httplib::Server::stop();
  listening.join();
}

bool StudioServer::Server::process_and_close_socket(socket_t socket) {
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kept_by_the_system, sizeof kept_by_the_system);
  Connection connection(socket, stop_);
  if (is_one_too_many) {
    constexpr std::string_view busy =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    ::send(socket, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    ::close(socket);
    return false;
  }
  current_socket = socket;
  bool is_closed = false;
  Stream stream(connection);
  const bool done = process_request(stream, true, is_closed, [&](Request& request) {
    request.ranges.clear();
    connection.allow_body();
  });
  connection.close();
  return done;
}

// 0: it may ask for what is at the path.
int StudioServer::Server::refusal(const Request& request, std::string& path) const {
  const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin");
  if (request.get_header_value_count("Host") != 1 || (host != host_ && host != local_host_)) return 421;
  if (request.get_header_value_count("Origin") > 1 || (!origin.empty() && origin != "http://" + host)) return 403;
  const std::string& target = request.target;
  if (target.size() < token_size + 2 || target[0] != '/' || target[token_size + 1] != '/' ||
      !is_same(std::string_view(target).substr(1, token_size), token_))
    return 403;
  path = target.substr(token_size + 2);
  path.resize(std::min(path.find('?'), path.size()));
  if (request.method == "GET" || request.method == "HEAD") return 0;
  if (request.method != "POST") return 405;
  if (request.get_header_value("Content-Type") != "application/json") return 415;
  if (request.has_header("Content-Encoding") || request.has_header("Transfer-Encoding")) return 415;
  if (request.get_header_value_count("Content-Length") != 1) return 411;
  if (!is_length(request.get_header_value("Content-Length"))) return 413;
  return path.starts_with("ask/") ? 0 : 404;
}

httplib::Server::HandlerResponse StudioServer::Server::route(const Request& request, Response& response) {
  std::string path;
  response.status = refusal(request, path);
  if (response.status == 0) {
    response.status = 200;
    if (request.method == "POST") return HandlerResponse::Unhandled;
    if (path == "events" && request.method == "GET")
      open_page(response);
    else
      give_file(path.empty() ? "index.html" : path, response);
  }
  if (response.status == 403)
    response.set_content("This is not the address that hamel studio has printed.\n", "text/plain");
  return HandlerResponse::Handled;
}

void StudioServer::Server::give_file(const std::string& path, Response& response) const {
  const auto found = site_.find(path);
  if (found == site_.end()) {
    response.status = 404;
    return;
  }
  const std::string& content = found->second;
  if (content.empty()) return response.set_content("", type_of(path));
  // By a provider, since contents that are set are compressed, which takes longer than sending them.
  response.set_content_provider(content.size(), type_of(path),
                                [&content](size_t offset, size_t length, httplib::DataSink& sink) {
                                  return sink.write(content.data() + offset, std::min<size_t>(length, 65536));
                                });
}

void StudioServer::Server::open_page(Response& response) {
  std::shared_ptr<OpenPage> page;
  try {
    const std::lock_guard lock(mutex_);
    if (pages_.size() < most_pages) {
      page = std::make_shared<OpenPage>(++last_page_, shown_.folder);
      pages_.emplace(page->number, page);
    }
  } catch (const std::exception& error) {
    response.status = 503;
    return response.set_content(error.what(), "text/plain");
  }
  if (!page) {
    response.status = 503;
    return response.set_content(
        fmt::format("{} pages of this studio are open already; close one, then load this one again", most_pages),
        "text/plain");
  }
  response.set_content_provider(
      "text/event-stream", [this, page](size_t, httplib::DataSink& sink) { return relay(*page, sink); },
      [this, page](bool) {
        const std::lock_guard lock(mutex_);
        pages_.erase(page->number);
      });
}

int StudioServer::Server::ask(const Request& request) {
  std::shared_ptr<OpenPage> page;
  {
    const std::string number = request.target.substr(token_size + 2 + std::string_view("ask/").size());
    const std::lock_guard lock(mutex_);
    for (const auto& [known, open] : pages_)
      if (std::to_string(known) == number) page = open;
  }
  if (!page) return 404;
  if (request.body.find_first_of("\r\n") != std::string::npos) return 400;
  const std::lock_guard lock(page->asking);
  return page->engine.send(request.body + '\n') ? 204 : 503;
}

std::string StudioServer::Server::file_event(const std::string& text) const {
  nlohmann::ordered_json event = nlohmann::ordered_json::parse(shown_.settings);
  event["kind"] = "file";
  event["name"] = shown_.model.substr(shown_.model.rfind('/') + 1);
  event["writable"] = !shown_.folder.empty();
  event["text"] = text;
  return fmt::format("data: {}\n\n", event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

// What the engine says goes to the page as it comes; between two events the file is looked at. False in the end.
bool StudioServer::Server::relay(OpenPage& page, httplib::DataSink& sink) {
  std::vector<char> buffer(65536);
  WatchedFile file(shown_.model);
  std::string tail = "\n\n";  // of what was said: two ends of lines end an event
  auto last = std::chrono::steady_clock::now();
  const auto say = [&](const std::string& event) {
    last = std::chrono::steady_clock::now();
    return sink.write(event.data(), event.size());
  };
  if (!say(fmt::format("data: {{\"kind\":\"open\",\"page\":{}}}\n\n", page.number))) return false;
  while (!stop_) {
    if (tail == "\n\n") {
      if (const std::optional<std::string> text = file.change(); text && !say(file_event(*text))) return false;
      if (std::chrono::steady_clock::now() - last > sign_of_life && !say(":\n\n")) return false;
    }
    std::array<pollfd, 2> ready = {{{.fd = page.engine.replies(), .events = POLLIN, .revents = 0},
                                    {.fd = current_socket, .events = POLLRDHUP, .revents = 0}}};
    ::poll(ready.data(), ready.size(), static_cast<int>(look_every.count()));
    if (ready[1].revents != 0) return false;
    if (ready[0].revents == 0) continue;
    const ssize_t count = ::read(page.engine.replies(), buffer.data(), buffer.size());
    if (count <= 0) {
      say("\n\ndata: {\"kind\":\"ended\"}\n\n");
      return false;
    }
    const auto size = static_cast<size_t>(count), end = std::min<size_t>(size, 2);
    tail.append(buffer.data() + size - end, end);
    tail.erase(0, tail.size() - 2);
    last = std::chrono::steady_clock::now();
    if (!sink.write(buffer.data(), size)) return false;
  }
  return false;
}

StudioServer::StudioServer(Site site, Shown shown, int port)
    : server_(std::make_unique<Server>(std::move(site), std::move(shown), port)) {}
StudioServer::~StudioServer() = default;
std::string StudioServer::address() const { return server_->address(); }
void StudioServer::serve(const std::atomic<bool>& stop) { server_->serve(stop); }

}  // namespace hamel::cli
