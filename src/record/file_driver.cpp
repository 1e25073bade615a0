#include "record/file_driver.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>

#include "record/lookup3.hpp"

namespace hamel::hdf5 {
namespace {

constexpr haddr_t page = 4096;  // a write may be cut at its multiples when the process is killed

long writes_to_live = 0;
int open_error = 0;  // of the system, the last time that a file was opened

// HDF5 File Format Specification 3.0, II.A: the first bytes of a file. Byte 11 says that somebody is writing.
struct Superblock {
  static constexpr std::size_t size = 48, marks = 11, end = 28, sum = 44;
  std::array<unsigned char, size> bytes{};

  haddr_t end_of_file() const { return get(end, 8); }
  // Nobody is writing, and nothing is beyond the end.
  void seal(haddr_t end_of_file) {
    bytes[marks] = 0;
    put(end, 8, end_of_file);
    put(sum, 4, lookup3(bytes.data(), sum));
  }

 private:
  std::uint64_t get(std::size_t at, std::size_t count) const {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < count; ++k) value |= static_cast<std::uint64_t>(bytes[at + k]) << 8 * k;
    return value;
  }
  void put(std::size_t at, std::size_t count, std::uint64_t value) {
    for (std::size_t k = 0; k < count; ++k) bytes[at + k] = static_cast<unsigned char>(value >> 8 * k);
  }
};

struct OpenFile {
  H5FD_t base;  // first: what HDF5 sees
  int descriptor;
  haddr_t allocated, size;
  int error;                                                   // of the system, once a write has failed
  bool abandoned;                                              // nothing more is written: changes are kept in memory
  Superblock superblock;                                       // as it is in the file
  std::map<haddr_t, std::array<unsigned char, page>> changes;  // page by page
};

OpenFile& self(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& self(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

bool give_up(OpenFile& file) {
  file.error = errno;
  file.abandoned = true;
  return false;
}

// One writer at a time. File systems without locks (ENOLCK and the like) go without.
bool is_taken(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES);
}

herr_t read_bytes(int descriptor, haddr_t at, std::size_t size, unsigned char* to) {
  while (size > 0) {
    const ssize_t count = ::pread(descriptor, to, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) std::memset(to, 0, size);  // beyond the end
    const std::size_t done = count == 0 ? size : static_cast<std::size_t>(count);
    to += done, at += done, size -= done;
  }
  return 0;
}

// The part of a page that a range of bytes covers: where it begins in the page and in the range, and its size.
struct Overlap {
  std::size_t in_page, in_range, size;

  Overlap(haddr_t number, haddr_t at, std::size_t length) {
    const haddr_t begin = std::max(number * page, at), end = std::min((number + 1) * page, at + length);
    in_page = begin - number * page, in_range = begin - at, size = end - begin;
  }
};

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
  auto* to = static_cast<unsigned char*>(buffer);
  if (read_bytes(self(file).descriptor, at, size, to) < 0) return -1;
  const auto& changes = self(file).changes;
  for (auto next = changes.lower_bound(at / page); next != changes.end() && next->first * page < at + size; ++next) {
    const Overlap part(next->first, at, size);
    std::copy_n(&next->second[part.in_page], part.size, to + part.in_range);
  }
  return 0;
}

// HDF5 does not survive errors when it closes a file. So it sees none: what it writes after one is in memory.
herr_t write_to_memory(OpenFile& file, haddr_t at, std::size_t size, const unsigned char* from) {
  for (haddr_t number = at / page; number * page < at + size; ++number) {
    const auto [place, is_new] = file.changes.try_emplace(number);
    if (is_new && read_bytes(file.descriptor, number * page, page, place->second.data()) < 0) return -1;
    const Overlap part(number, at, size);
    std::copy_n(from + part.in_range, part.size, &place->second[part.in_page]);
  }
  return 0;
}

H5FD_t* open(const char* name, unsigned flags, [[maybe_unused]] hid_t properties, [[maybe_unused]] haddr_t largest) {
  const int descriptor = ::open(name, O_RDWR | O_CLOEXEC | ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT | O_EXCL : 0), 0666);
  struct stat status {};
  if (descriptor < 0 || is_taken(descriptor) || ::fstat(descriptor, &status) < 0) {
    open_error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto* file = new OpenFile{};
  file->descriptor = descriptor;
  file->size = static_cast<haddr_t>(status.st_size);
  read_bytes(descriptor, 0, Superblock::size, file->superblock.bytes.data());
  return &file->base;
}

herr_t close(H5FD_t* file) {
  ::close(self(file).descriptor);
  delete &self(file);
  return 0;
}

herr_t query([[maybe_unused]] const H5FD_t* file, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return self(file).allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t to) {
  self(file).allocated = to;
  return 0;
}
haddr_t get_size(const H5FD_t* file, H5FD_mem_t) {
  return self(file).abandoned ? std::max(self(file).size, self(file).allocated) : self(file).size;
}
herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = &self(file);
  return 0;
}

bool write_bytes(OpenFile& file, haddr_t at, std::size_t size, const unsigned char* from) {
  while (size > 0) {
    const ssize_t count = ::pwrite(file.descriptor, from, size, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return give_up(file);
    from += count, at += static_cast<haddr_t>(count), size -= static_cast<std::size_t>(count);
    file.size = std::max(file.size, at);
  }
  return true;
}

// How much of a write happens before a test lets the process die.
std::size_t last_words(haddr_t at, std::size_t size) {
  const haddr_t boundary = (at / page + 1) * page;
  return at + size > boundary ? static_cast<std::size_t>(boundary - at) : 0;
}

bool write_counted(OpenFile& file, haddr_t at, std::size_t size, const unsigned char* from) {
  if (writes_to_live > 0 && --writes_to_live == 0) {
    write_bytes(file, at, last_words(at, size), from);
    ::raise(SIGKILL);
  }
  return write_bytes(file, at, size, from);
}

bool extend(OpenFile& file) {
  if (file.size >= file.allocated) return true;
  if (::ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) < 0) return give_up(file);
  file.size = file.allocated;
  return true;
}

bool write_superblock(OpenFile& file) {
  if (!extend(file)) return false;
  file.superblock.seal(std::max(file.allocated, file.superblock.end_of_file()));
  return write_counted(file, 0, Superblock::size, file.superblock.bytes.data());
}

// HDF5 writes the new end of the file last. A reader needs it before anything that points beyond the old one.
bool write_in_order(OpenFile& file, H5FD_mem_t type, haddr_t at, std::size_t size, const unsigned char* from) {
  if (type == H5FD_MEM_SUPER && at == 0 && size == Superblock::size) {
    std::copy_n(from, size, file.superblock.bytes.begin());
    return write_superblock(file);
  }
  const bool has_superblock = file.superblock.bytes[0] != 0;
  if (has_superblock && type != H5FD_MEM_DRAW && file.allocated > file.superblock.end_of_file() &&
      !write_superblock(file))
    return false;
  return write_counted(file, at, size, from);
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t at, std::size_t size, const void* buffer) {
  OpenFile& to = self(file);
  const auto* from = static_cast<const unsigned char*>(buffer);
  if (!to.abandoned && write_in_order(to, type, at, size, from)) return 0;
  return write_to_memory(to, at, size, from);
}

// To the end that HDF5 has in mind; never shorter, for the superblock says how long the file is.
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  if (!self(file).abandoned) extend(self(file));
  return 0;
}

// The writer never shares a file with itself.
int compare(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; }

hid_t driver() {
  static const hid_t id = [] {
    H5FD_class_t functions{};
#ifdef H5FD_CLASS_VERSION  // HDF5 1.14 and later
    functions.version = H5FD_CLASS_VERSION;
    functions.value = 60000;  // of those that are free
#endif
    functions.name = "hamel record";
    functions.maxaddr = (haddr_t{1} << 62) - 1;
    functions.fc_degree = H5F_CLOSE_WEAK;
    functions.open = open;
    functions.close = close;
    functions.cmp = compare;
    functions.query = query;
    functions.get_eoa = get_allocated;
    functions.set_eoa = set_allocated;
    functions.get_eof = get_size;
    functions.get_handle = get_handle;
    functions.read = read;
    functions.write = write;
    functions.truncate = truncate;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), functions.fl_map);
    return checked(H5FDregister(&functions), "register a file driver");
  }();
  return id;
}

Handle access() {
  silence();
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "prepare access to files");
  checked(H5Pset_driver(properties, driver(), nullptr), "use our file driver");
  checked(H5Pset_libver_bounds(properties, H5F_LIBVER_V110, H5F_LIBVER_V110), "ask for the format of HDF5 1.10");
  return properties;
}

// Small pieces of metadata do not cross pages, so that none is ever half written.
Handle paged() {
  Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "prepare a new file");
  checked(H5Pset_file_space_strategy(properties, H5F_FSPACE_STRATEGY_PAGE, 0, 1), "ask for pages");
  checked(H5Pset_file_space_page_size(properties, page), "ask for pages");
  return properties;
}

[[noreturn]] void refuse_file(const char* what, const std::string& path, int why) {
  const bool taken = why == EAGAIN || why == EACCES;
  H5Eclear2(H5E_DEFAULT);
  throw std::runtime_error(fmt::format(
      "cannot {} {}: {}", what, path,
      taken && ::access(path.c_str(), W_OK) == 0 ? "another process is writing to it" : std::strerror(why)));
}

OpenFile& opened(hid_t file) {
  void* handle = nullptr;
  checked(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle), "reach the file driver");
  return *static_cast<OpenFile*>(handle);
}

}  // namespace

Handle create_file(const std::string& path) {
  const Handle properties = access(), creation = paged();
  open_error = 0;
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation, properties);
  if (file < 0 && open_error != 0) refuse_file("create", path, open_error);
  return {file, H5Fclose, "create " + path};
}

Handle open_file(const std::string& path) {
  const Handle properties = access();
  open_error = 0;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, properties);
  if (file < 0 && open_error != 0) refuse_file("open", path, open_error);
  return {file, H5Fclose, "open " + path};
}

void start_appending(hid_t file) { checked(H5Fstart_swmr_write(file), "start to append"); }

Handle open_to_read(const std::string& path) {
  silence();
  struct stat status {};
  if (::stat(path.c_str(), &status) < 0) refuse_file("open", path, errno);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open " + path};
}

bool is_being_written(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool taken = is_taken(descriptor);
  ::close(descriptor);
  return taken;
}

std::string write_error(hid_t file) {
  const int error = opened(file).error;
  return error == 0 ? "" : std::strerror(error);
}

void abandon(hid_t file) { opened(file).abandoned = true; }

void die_at_write(long n) { writes_to_live = n; }

}  // namespace hamel::hdf5
