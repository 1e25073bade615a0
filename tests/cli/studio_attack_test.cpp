// What others may send to `hamel studio`: it refuses, goes on, and does not grow.
#include "cli/studio.hpp"

namespace hamel::test {
namespace {

using Texts = std::vector<std::string>;

// A sanitizer has memory of its own.
void expect_small(long kilobytes) {
  constexpr long most = 100000;
  const bool is_another_build = std::getenv("HAMEL_ATTACKED") != nullptr;
  EXPECT_TRUE(is_another_build || kilobytes < most) << kilobytes;
}

class StudioAttacked : public StudioCommand {
 protected:
  void TearDown() override {
    EXPECT_TRUE(becomes([this] { return is_alive(); }));
    EXPECT_EQ(slurp(path("err")).find("ERROR: AddressSanitizer"), std::string::npos) << slurp(path("err"));
    StudioCommand::TearDown();
  }
};

TEST_F(StudioAttacked, ByPathsThatLeadOut) {
  open();
  const std::string nul("index.html\0.js", 14);
  for (const std::string& path : Texts{"../secret.txt",
                                       "..",
                                       "../",
                                       "/../secret.txt",
                                       "pictures/../studio.js",
                                       "pictures/../../secret.txt",
                                       "%2e%2e/secret.txt",
                                       "..%2fsecret.txt",
                                       "%2e%2e%2fsecret.txt",
                                       "%252e%252e/secret.txt",
                                       "..%5csecret.txt",
                                       "..\\secret.txt",
                                       "..;/secret.txt",
                                       "./studio.js",
                                       "/studio.js",
                                       "/etc/passwd",
                                       "//etc/passwd",
                                       "file:///etc/passwd",
                                       "link.html",
                                       "out/secret.txt",
                                       "out",
                                       "pictures",
                                       "pictures/",
                                       "studio.js/",
                                       "studio.js%00",
                                       "studio%2ejs",
                                       "STUDIO.JS",
                                       "index.html%00.js",
                                       "models/pendulum.toml",
                                       "../models/pendulum.toml",
                                       "ask/1",
                                       "events/",
                                       "\x01",
                                       "\xff\xfe"}) {
    SCOPED_TRACE(path);
    const std::string response = get(path);
    EXPECT_GE(status_of(response), 400) << response;
    EXPECT_EQ(response.find("secret"), std::string::npos);
  }
  EXPECT_NE(status_of(get(nul)), 200);
  for (const char* target :
       {"*", "secret.txt", "../secret.txt", "http://evil.example/", "//evil.example/", "/", "", "?"})
    EXPECT_NE(status_of(answer(head("GET", target))), 200) << target;
  EXPECT_NE(status_of(answer(head("GET", "http://" + host() + at("studio.js")))), 200);
}

TEST_F(StudioAttacked, WithoutTheToken) {
  open();
  std::string near = token_;
  near.back() = near.back() == '0' ? '1' : '0';
  for (const std::string& target :
       Texts{std::string("/"), std::string("/index.html"), std::string("/events"), "/" + token_, "/" + near + "/",
             "/" + token_.substr(0, 31) + "/", "/" + token_ + "0/", "//" + token_ + "/", "/?token=" + token_,
             "/" + std::string(32, '0') + "/", "/" + std::string(32, 'f') + "/studio.js", "/%" + token_ + "/",
             "/" + near + "/ask/1"}) {
    const std::string response = answer(head("GET", target));
    EXPECT_EQ(status_of(response), 403) << target;
    EXPECT_EQ(response.find("the page"), std::string::npos);
  }
  EXPECT_EQ(status_of(answer(head("GET", "/",
                                  "Authorization: Bearer " + token_ + "\r\nCookie: token=" + token_ +
                                      "\r\nReferer: http://" + host() + at("") + "\r\n"))),
            403);
  EXPECT_TRUE(engines().empty());
}

TEST_F(StudioAttacked, FromOtherOrigins) {
  open();
  const std::string port = std::to_string(port_);
  for (const std::string& origin :
       Texts{std::string("http://evil.example"), std::string("null"), std::string("http://127.0.0.1"),
             "https://127.0.0.1:" + port, "http://127.0.0.1:" + port + ".evil.example", "http://127.0.0.1:1" + port,
             "http://localhost:" + port, "http://127.0.0.1:" + port + "/", "file://", "HTTP://127.0.0.1:" + port}) {
    EXPECT_EQ(status_of(get("studio.js", "Origin: " + origin + "\r\n")), 403) << origin;
    EXPECT_EQ(status_of(get("events", "Origin: " + origin + "\r\n")), 403) << origin;
  }
  EXPECT_EQ(status_of(get("studio.js", "Origin: http://" + host() + "\r\nOrigin: http://evil.example\r\n")), 403);
  EXPECT_EQ(status_of(get("studio.js", "Origin: http://" + host() + "\r\n")), 200);
  EXPECT_EQ(get("studio.js", "Origin: http://" + host() + "\r\n").find("Access-Control"), std::string::npos);
}

TEST_F(StudioAttacked, ByAnotherNameForThisMachine) {
  open();
  const std::string port = std::to_string(port_), line = "GET " + at("studio.js") + " HTTP/1.1\r\n";
  for (const std::string& host :
       Texts{"evil.example:" + port, std::string("evil.example"), std::string(), "127.0.0.1", "127.0.0.1:1" + port,
             "127.0.0.1:" + port + ".evil.example", "127.0.0.1:" + port + "@evil.example", "[::1]:" + port,
             "0.0.0.0:" + port, "127.1:" + port, "2130706433:" + port, "localhost.:" + port,
             "localhost.evil.example:" + port})
    EXPECT_EQ(status_of(answer(line + "Host: " + host + "\r\n\r\n")), 421) << host;
  EXPECT_NE(status_of(answer(line + "\r\n")), 200);
  EXPECT_NE(status_of(answer("GET " + at("studio.js") + " HTTP/1.0\r\n\r\n")), 200);
  EXPECT_NE(status_of(answer(line + "Host: " + host() + "\r\nHost: evil.example\r\n\r\n")), 200);
  EXPECT_EQ(status_of(answer(line + "Host: localhost:" + port + "\r\n\r\n")), 200);
}

TEST_F(StudioAttacked, ByHugeRequests) {
  open();
  Events events = listen();
  const std::string huge(1 << 20, 'a'), ask = at("ask/" + std::to_string(events.page));
  const std::string json = "Content-Type: application/json\r\n";
  std::string many;
  for (int k = 0; k < 20000; ++k) many += "X-" + std::to_string(k) + ": y\r\n";
  for (const std::string& request :
       Texts{head("GET", at(huge)), head("GET", "/" + huge), head("GET", at("studio.js"), "X: " + huge + "\r\n"),
             head("GET", at("studio.js"), huge + ": x\r\n"), head("GET", at("studio.js"), many), head(huge, at("")),
             head("GET", at("?" + huge)), std::string(huge),
             head("GET", at("studio.js"), "Range: bytes=" + huge + "\r\n"),
             head("POST", ask, json + "Content-Length: 99999999999\r\n"),
             head("POST", ask, json + "Content-Length: 18446744073709551616\r\n"),
             head("POST", ask, json + "Content-Length: -1\r\n"),
             head("POST", ask, json + "Content-Length: 12000000\r\n")}) {
    Socket socket(port_);
    socket.send(request);
    socket.send(huge, milliseconds(200));
    const std::string response = socket.receive(milliseconds(8000));
    EXPECT_TRUE(response.empty() || status_of(response) >= 400) << request.substr(0, 60) << response;
    EXPECT_TRUE(becomes([this] { return is_alive(); }));
  }
  const std::string chunk = "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
  Socket chunked(port_);
  chunked.send(head("POST", ask, json + "Transfer-Encoding: chunked\r\n"));
  for (int k = 0; k < 1000 && chunked.send(chunk, milliseconds(100)); ++k) {
  }
  EXPECT_GE(status_of(chunked.receive(milliseconds(500))), 0);
  EXPECT_GE(status_of(answer(head("POST", ask, json + "Content-Encoding: gzip\r\nContent-Length: 3\r\n") + "abc")),
            400);
  EXPECT_EQ(status_of(post(events.page, "{\"id\": 1,\n\"call\": \"files\"}")), 400);
  EXPECT_EQ(status_of(post(events.page, "{}", "text/plain")), 415);
  EXPECT_EQ(status_of(post(events.page + 1, "{}")), 404);
  EXPECT_EQ(status_of(post(events.page, R"({"id": 7, "call": "files", "ask": {}})")), 204);
  EXPECT_TRUE(events.hear("\"id\":7"));
  expect_small(of_process("VmHWM"));
}

TEST_F(StudioAttacked, ByGarbageAndOtherMethods) {
  open();
  std::string noise;
  for (unsigned k = 0, x = 1; k < 20000; ++k, x = x * 1664525U + 1013904223U) noise += static_cast<char>(x >> 24U);
  std::string ranges = "bytes=0-0";
  for (int k = 0; k < 1900; ++k) ranges += ",0-0";
  const std::string page = at("studio.js");
  for (const std::string& request :
       Texts{noise,
             noise + "\r\n\r\n",
             std::string("\r\n\r\n\r\n"),
             std::string("\n\n"),
             std::string("GET\r\n\r\n"),
             std::string(1, '\0'),
             "GET " + page + "\r\n\r\n",
             "GET " + page + " HTTP/9.9\r\nHost: " + host() + "\r\n\r\n",
             std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
             std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
             head("GET", page + " x", ""),
             head("get", page),
             head("PUT", page),
             head("DELETE", page),
             head("PATCH", page),
             head("OPTIONS", page),
             head("TRACE", page),
             head("CONNECT", host()),
             head("POST", page),
             head("POST", at("events")),
             head("GET POST", page),
             head("", page),
             head("HEAD", at("events")),
             head("POST", at("ask/1"), "X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n")}) {
    Socket socket(port_);
    socket.send(request);
    socket.half_close();
    const std::string response = socket.receive();
    EXPECT_TRUE(socket.is_closed());
    EXPECT_EQ(response.find("// the script"), std::string::npos) << request.substr(0, 80);
  }
  const std::string ranged = get("studio.js", "Range: " + ranges + "\r\n");
  EXPECT_LT(ranged.size(), 10000U);
  EXPECT_EQ(status_of(get("studio.js", "Range: bytes=0-3\r\n")), 200);
  const std::string twice = answer(head("GET", page) + head("GET", page) + noise);
  EXPECT_EQ(twice.find("HTTP/1.1 ", 1), std::string::npos) << "one request for each connection";
  EXPECT_TRUE(engines().empty());
}

TEST_F(StudioAttacked, BySlowRequestsWhichAreCutWhileOthersAreServed) {
  open();
  std::vector<Socket> slow;
  for (int k = 0; k < 20; ++k) slow.emplace_back(port_);
  const std::string request = head("GET", at("studio.js"));
  const auto began = Clock::now();
  std::size_t cut = 0;
  for (std::size_t k = 0; cut < slow.size() && k < 12; ++k) {
    for (const Socket& socket : slow) socket.send(request.substr(k, 1), milliseconds(10));
    const auto asked = Clock::now();
    EXPECT_TRUE(becomes([this] { return is_alive(); }));
    EXPECT_LT(Clock::now() - asked, milliseconds(1000));
    std::this_thread::sleep_for(milliseconds(900));
    cut = 0;
    for (Socket& socket : slow) cut += (socket.receive(milliseconds(5)), socket.is_closed() ? 1 : 0);
  }
  EXPECT_EQ(cut, slow.size());
  EXPECT_GT(Clock::now() - began, milliseconds(3000));
}

TEST_F(StudioAttacked, ByMoreClientsThanItHasRoomFor) {
  open();
  std::vector<Events> pages;
  for (int k = 0; k < 10; ++k) {
    pages.push_back(listen());
    EXPECT_GT(pages.back().page, 0);
  }
  const std::string eleventh = get("events");
  EXPECT_EQ(status_of(eleventh), 503);
  EXPECT_NE(eleventh.find("10 pages of this studio are open already; close one"), std::string::npos);
  EXPECT_TRUE(is_alive());
  EXPECT_EQ(engines().size(), 10U);
  pages[3].socket.close();
  EXPECT_TRUE(becomes([&] { return engines().size() == 9; }));
  EXPECT_TRUE(becomes([&] { return listen().page > 0; }));
  std::vector<Socket> idle;
  for (int k = 0; k < 200; ++k) idle.emplace_back(port_);
  EXPECT_TRUE(becomes([&] { return of_process("Threads") >= 60; }));
  EXPECT_LE(of_process("Threads"), 70);
  EXPECT_TRUE(becomes([&] { return is_alive(); }, milliseconds(15000)));
  EXPECT_TRUE(pages[0].hear("potential"));
}

TEST_F(StudioAttacked, ByClientsThatGoAwayOrDoNotListen) {
  open();
  const std::string model = Json{{"id", 1}, {"call", "read"}, {"ask", {{"text", small_model}}}}.dump();
  const std::string run = R"({"id": 2, "call": "run", "ask": {"run": 1, "until": 1e9}})";
  for (int k = 0; k < 5; ++k) {
    Events events = listen();
    post(events.page, model);
    post(events.page, run);
    EXPECT_TRUE(events.hear("progress"));
    events.socket.close();
  }
  EXPECT_TRUE(becomes([&] { return engines().empty(); }));
  Events half = listen();
  half.socket.half_close();
  EXPECT_TRUE(becomes([&] { return engines().empty(); })) << "no browser closes one half";
  Socket request(port_);
  request.send(head("GET", at("studio.js")));
  request.half_close();
  EXPECT_EQ(status_of(request.receive()), 200);
  Events deaf = listen();
  post(deaf.page, model);
  post(deaf.page, run);
  EXPECT_TRUE(deaf.hear("conserved"));
  for (int k = 0; k < 90; ++k) post(deaf.page, R"({"id": 3, "call": "page", "ask": {"run": 1}})");
  EXPECT_TRUE(becomes([&] { return engines().empty(); }, milliseconds(30000))) << "one that reads nothing is left";
  for (int k = 0; k < 300; ++k) Socket(port_).send(head("GET", at("studio.js")));
  EXPECT_TRUE(becomes([&] { return of_process("Threads") <= 3; }));
  expect_small(of_process("VmHWM"));
}

}  // namespace
}  // namespace hamel::test
