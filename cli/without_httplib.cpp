// In place of studio_server.cpp where there is no cpp-httplib.
#include <stdexcept>

#include "studio_server.hpp"

namespace hamel::cli {

class StudioServer::Server {};

StudioServer::StudioServer(Site, Shown, int) {
  throw std::runtime_error(
      "hamel was built without cpp-httplib, so that there is no studio; install it (on Debian: apt-get install "
      "libcpp-httplib-dev) and build hamel again");
}
StudioServer::~StudioServer() = default;
std::string StudioServer::address() const { return {}; }
void StudioServer::serve(const std::atomic<bool>&) {}

}  // namespace hamel::cli
