#include "program/cuda_compiler.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "hamel/program/device.hpp"
#include "program/cache.hpp"
#include "program/compiler.hpp"
#include "program/sha256.hpp"

namespace hamel::cuda {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string beginning(const std::string& log) {
  constexpr std::size_t enough = 1000;
  return log.size() <= enough ? log : log.substr(0, enough) + " ...";
}

std::optional<Compiler> find_nvcc(std::string& tried) {
  std::vector<std::string> names = {"nvcc", "/usr/local/cuda/bin/nvcc"};
  if (const char* chosen = std::getenv("HAMEL_NVCC"); chosen != nullptr && *chosen != '\0') names = {chosen};
  for (const std::string& name : names) {
    tried += (tried.empty() ? "" : ", ") + name;
    if (const auto compiler = find_program(name)) return compiler;
  }
  return std::nullopt;
}

// Files of one run of nvcc, gone with it.
class Draft {
 public:
  explicit Draft(const std::string& text) {
    std::string folder = (std::filesystem::temp_directory_path() / "hamel-nvcc-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
      throw DeviceError(fmt::format("nvcc cannot be run: no temporary folder {} can be made", folder));
    folder_ = folder;
    std::ofstream(folder_ + "/run.cu") << text;
  }
  ~Draft() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  std::string operator/(const char* name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

}  // namespace

TextCompiler::TextCompiler() {
  std::string tried;
  nvrtc_ = load_nvrtc(tried);
  if (nvrtc_.library != nullptr) {
    int major = 0, minor = 0;
    nvrtc_.nvrtcVersion(&major, &minor);
    identity_ = name_ = fmt::format("NVRTC {}.{}", major, minor);
    return;
  }
  const auto nvcc = find_nvcc(tried);
  if (!nvcc)
    throw NoDevice(
        fmt::format("no code for the GPU: neither NVRTC nor nvcc was found (looked for {}); install the "
                    "CUDA toolkit, or set HAMEL_NVRTC or HAMEL_NVCC",
                    tried));
  nvcc_ = nvcc->path;
  name_ = "nvcc " + nvcc_;
  identity_ = nvcc->identity;
}

std::string TextCompiler::compile(const std::string& text, const std::string& capability, bool contract) const {
  // Products and sums do not fuse, so that the bits are those of the CPU.
  const std::vector<std::string> options = {"-arch=sm_" + capability, "-std=c++17",
                                            contract ? "--fmad=true" : "--fmad=false"};
  const auto folder = open_cache();
  std::string key = text + '\0' + identity_;
  for (const std::string& option : options) key += '\0' + option;
  const std::string path = folder ? fmt::format("{}/{}.cubin", *folder, sha256(key)) : "";
  if (folder)
    if (auto kept = read_sealed(path)) return *kept;
  std::string code = nvcc_.empty() ? by_nvrtc(text, options) : by_nvcc(text, options);
  if (folder) store_sealed(path, code);
  return code;
}

std::string TextCompiler::by_nvrtc(const std::string& text, const std::vector<std::string>& options) const {
  Handle program = nullptr;
  if (nvrtc_.nvrtcCreateProgram(&program, text.c_str(), "hamel.cu", 0, nullptr, nullptr) != 0)
    throw DeviceError(fmt::format("{} takes no program", name_));
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  const Result result = nvrtc_.nvrtcCompileProgram(program, static_cast<int>(words.size()), words.data());
  const auto get = [&](auto size_of, auto read) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0) return std::string();
    std::string bytes(size, '\0');
    read(program, bytes.data());
    return bytes;
  };
  const std::string log = get(nvrtc_.nvrtcGetProgramLogSize, nvrtc_.nvrtcGetProgramLog);
  std::string code = result == 0 ? get(nvrtc_.nvrtcGetCUBINSize, nvrtc_.nvrtcGetCUBIN) : "";
  nvrtc_.nvrtcDestroyProgram(&program);
  if (code.empty())
    throw DeviceError(
        fmt::format("{} did not compile for the GPU (error {}, {}): {}", name_, result, options[0], beginning(log)));
  return code;
}

std::string TextCompiler::by_nvcc(const std::string& text, const std::vector<std::string>& options) const {
  constexpr std::chrono::minutes limit(10);
  const Draft draft(text);
  std::vector<std::string> command = {nvcc_, "-cubin", "-o", draft / "run.cubin", draft / "run.cu"};
  command.insert(command.end(), options.begin(), options.end());
  Process process(command, draft / "log");
  const std::string problem = process.wait(limit);
  std::string code = problem.empty() ? content_of(draft / "run.cubin") : "";
  if (code.empty())
    throw DeviceError(fmt::format("{} {}: {}", name_, problem.empty() ? "made nothing" : problem,
                                  beginning(content_of(draft / "log"))));
  return code;
}

}  // namespace hamel::cuda
