// How files are made: complete under their name or not there at all, and nothing is lost.
//
//   need_output("run.html", overwrite, {"model.toml", "run.h5"});    // before the work begins
//   OutputFile file("run.html", overwrite);
//   file.write(text);                                                // under another name
//   file.publish();                                                  // in one go
//
// What exists is replaced only if that is asked for, and only if it is a regular file: no link, folder, fifo or device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hamel {

// Throws std::runtime_error if nothing can be written there, or nothing may be: also if it is one of the other files of
// the same command, by whatever name.
void need_output(const std::string& path, bool overwrite, const std::vector<std::string>& others = {});
// What exists is a regular file.
void need_regular_file(const std::string& path);
// In the same folder, with a name that nobody can guess.
std::string temporary_path(const std::string& beside);

class OutputFile {
 public:
  OutputFile(const std::string& path, bool overwrite);
  ~OutputFile();  // what was not published is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void publish();
  // For those that create it by themselves, which must not follow links: O_EXCL.
  const std::string& temporary() const { return temporary_; }

 private:
  [[noreturn]] void fail() const;

  std::string path_, temporary_;
  bool overwrite_, is_published_ = false;
  int descriptor_ = -1;
};

}  // namespace hamel
