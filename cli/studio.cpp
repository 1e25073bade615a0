#include "studio.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "console.hpp"
#include "engine.hpp"
#include "gallery.hpp"
#include "signals.hpp"
#include "studio_server.hpp"

namespace hamel::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* flag_of_page = R"(<meta name="hamel-engine" content="worker" />)";

// In HAMEL_STUDIO, beside the program, or where it was installed: the first of these that exists.
fs::path folder_of_site() {
  std::vector<fs::path> places;
  if (const char* given = std::getenv("HAMEL_STUDIO")) places.emplace_back(given);
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none).parent_path();
  places.push_back(program / "studio");
  places.push_back(program / "web" / "site");
  places.push_back(program.parent_path() / "share" / "hamel" / "studio");
  for (const fs::path& place : places)
    if (fs::is_regular_file(place / "index.html", none)) return place;
  throw std::runtime_error("the page of the studio is not built: run make studio-page, which needs Node.js and npm");
}

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(fs::file_size(path)), '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(text.size())))
    throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  return text;
}

// All but what only an engine in the browser needs; links lead elsewhere and are left out.
Site read_site(const fs::path& folder) {
  Site site;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path name = fs::relative(entry.path(), folder);
    if (entry.is_symlink() || !entry.is_regular_file() || name.extension() == ".wasm") continue;
    site.emplace(name.generic_string(), contents(entry.path()));
  }
  return site;
}

void flag_page(std::string& page, const fs::path& folder, bool has_model) {
  const std::size_t at = page.find(flag_of_page);
  if (at == std::string::npos)
    throw std::runtime_error(
        fmt::format("the page in {} is of another version of hamel: run make studio-page", folder.string()));
  page.replace(at, std::string_view(flag_of_page).size(),
               fmt::format(R"(<meta name="hamel-engine" content="{}" />)", has_model ? "native file" : "native"));
}

// A number can be changed in the page; what else --set knows belongs into the file.
Json changes_of(const Overrides& parameters) {
  Json changes = Json::object();
  for (const auto& [name, text] : parameters) {
    double value = 0;
    if (!CLI::detail::lexical_cast(text, value))
      throw UsageError(
          fmt::format("the studio changes numbers: --set {}={} has to be written into the file", name, text));
    changes[name] = value;
  }
  return changes;
}

Json run_of(const RunChanges& run) {
  Json result = Json::object();
  if (!run.integrator.empty()) result["integrator"] = run.integrator;
  for (const auto& [name, value] :
       {std::pair{"step", run.step}, {"tolerance", run.tolerance}, {"until", run.until}, {"every", run.every}})
    if (value > 0) result[name] = value;
  return result;
}

// A file that was named by its path may be written, and its folder is open; one of the gallery is shown only.
Shown shown_of(const StudioRequest& request) {
  Shown shown{.settings = Json{{"changes", changes_of(request.parameters)}, {"run", run_of(request.run)}}.dump()};
  if (request.model.empty()) return shown;
  if (request.model == "-") throw UsageError("the studio watches a file: standard input is none");
  std::error_code none;
  if (fs::is_directory(request.model, none)) {
    shown.folder = fs::canonical(request.model).string();
    return shown;
  }
  const bool is_path = fs::exists(request.model, none);
  const fs::path model = fs::canonical(model_path(request.model));
  shown.model = model.string();
  if (is_path) shown.folder = model.parent_path().string();
  return shown;
}

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return isatty(STDOUT_FILENO) == 1 && (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

bool open_browser(std::string address) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open";
  std::array<char*, 3> arguments = {program.data(), address.data(), nullptr};
  pid_t id = 0;
  const bool done = posix_spawnp(&id, program.c_str(), &files, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  return done;
}

struct StudioOptions : Options {
  StudioRequest request;
  std::optional<std::string> engine;
  bool opens = false;
};

}  // namespace

void open_studio(const StudioRequest& request) {
  const Shown shown = shown_of(request);
  const fs::path folder = folder_of_site();
  Site site = read_site(folder);
  flag_page(site.at("index.html"), folder, !shown.model.empty());
  StudioServer server(std::move(site), shown, request.port);
  const std::atomic<bool>& stop = stop_on_signal();
  if (request.json)
    print_json({{"address", server.address()}});
  else
    fmt::print("{}\n", server.address());
  std::fflush(stdout);
  if (!request.json) print_note("the studio, until Ctrl-C; who has this address can use it");
  if (request.opens.value_or(has_display()) && !open_browser(server.address()))
    print_note("no browser could be started: open the address in yours");
  server.serve(stop);
}

void add_studio(CLI::App& program) {
  const auto options = std::make_shared<StudioOptions>();
  CLI::App* command = add_command(program, "studio", "the studio in a browser: a model file and its motion, live",
                                  "  hamel studio                       the gallery\n"
                                  "  hamel studio my-pendulum.toml      edit it in the page or with your own editor\n"
                                  "  hamel studio heavy-top --port 8000",
                                  *options);
  StudioRequest& request = options->request;
  command->add_option("model", request.model, "a model file, a folder of them, or the name of a model of the gallery")
      ->type_name("MODEL");
  command->add_option("--port", request.port, "of this machine; default: one that is free")
      ->check(CLI::Range(1, 65535));
  CLI::Option* opens =
      command->add_flag("--open,!--no-open", options->opens, "start a browser; default: where there is a display");
  command->add_option("--engine", options->engine, "")->group("");
  command->callback([options, opens] {
    if (options->engine) be_engine(*options->engine == "none" ? "" : *options->engine);  // else a whole path
    if (opens->count() > 0) options->request.opens = options->opens;
    options->request.json = options->json;
    open_studio(options->request);
  });
}

}  // namespace hamel::cli
