#include "hamel/report/run_page.hpp"

namespace hamel {

void write_report(const std::string& path, const std::string& record_path, const ModelFile& file, bool overwrite) {
  const Record record = read_record(RecordReader(record_path), {.at_most = PageLimits().frames});
  write_report(path, page_of(record, file), overwrite);
}

}  // namespace hamel
