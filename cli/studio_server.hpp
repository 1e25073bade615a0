// The server of `hamel studio`: the page and an engine for each browser that shows it, on the loopback interface alone.
//
//   StudioServer server(site, {.folder = "models"}, 0);
//   fmt::print("{}\n", server.address());       // with a token that nobody can guess
//   server.serve(stop);                         // until stop is true
//
// It answers what has the token, names this server as its host and comes from no other page. Its files are in memory
// before the first request comes, so that no request can ask for another one. One request for each connection, of
// limited size, within a limited time.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace hamel::cli {

using Site = std::map<std::string, std::string>;  // the files of the page, by their paths

struct Shown {
  std::string folder = {};    // whose model files and records can be opened and written; none where empty
  std::string model = {};     // the path of a model file that is shown and watched; none where empty
  std::string settings = {};  // JSON: {changes, run}, what it is shown with
};

class StudioServer {
 public:
  StudioServer(Site site, Shown shown, int port);  // 0: the system chooses
  ~StudioServer();

  std::string address() const;
  void serve(const std::atomic<bool>& stop);

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace hamel::cli
