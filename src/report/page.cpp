#include "hamel/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hamel/record/output_file.hpp"
#include "report/page_check.hpp"
#include "report/page_json.hpp"
#include "report/template.hpp"

namespace hamel {

namespace {

constexpr std::string_view place_of_data = "/*hamel-data*/";

// The frames that fit, given what the page has besides: `size_besides`, and the data with no more than two frames.
std::vector<std::size_t> fitting_frames(const Page& page, std::size_t size_besides, const PageLimits& limits) {
  const std::size_t count = page.time.size();
  const std::size_t size_without = size_besides + to_json(page, chosen_frames(count, 2)).size();
  const std::size_t room = limits.bytes > size_without ? limits.bytes - size_without : 0;
  const std::size_t fitting = std::max<std::size_t>(2, std::min(limits.frames, room / bytes_per_frame(page)));
  if (page.modes && fitting < count)
    throw std::invalid_argument(fmt::format(
        "the report \"{}\" cannot be written: {} frames of modes do not fit, {} would; leave some modes out",
        page.title, count, fitting));
  return chosen_frames(count, fitting);
}

}  // namespace

std::vector<std::size_t> chosen_frames(std::size_t count, std::size_t limit) {
  const std::size_t shown = std::min(count, std::max<std::size_t>(limit, 2));
  std::vector<std::size_t> frames(shown);
  for (std::size_t i = 0; i < shown; ++i) frames[i] = shown == 1 ? 0 : i * (count - 1) / (shown - 1);
  return frames;
}

std::string page_data(const Page& page, const PageLimits& limits) {
  check(page);
  return to_json(page, fitting_frames(page, 0, limits));
}

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
