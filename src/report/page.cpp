#include "hamel/report/page.hpp"

#include <string_view>

#include "hamel/record/output_file.hpp"
#include "report/page_check.hpp"
#include "report/page_json.hpp"
#include "report/template.hpp"

namespace hamel {

namespace {

constexpr std::string_view place_of_data = "/*hamel-data*/";

}  // namespace

std::string to_html(const Page& page, const PageLimits& limits) {
  check(page);
  const std::string_view html = page_template();
  const std::size_t place = html.find(place_of_data);
  std::string text(html.substr(0, place));
  text += to_json(page, fitting_frames(page, html.size(), limits));
  text += html.substr(place + place_of_data.size());
  return text;
}

void write_report(const std::string& path, const Page& page, bool overwrite, const PageLimits& limits) {
  OutputFile file(path, overwrite);
  file.write(to_html(page, limits));
  file.publish();
}

}  // namespace hamel
