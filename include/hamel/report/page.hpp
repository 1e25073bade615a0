// A report: one HTML file with the motion in three dimensions, charts, facts and equations, that opens offline.
//
//   Page page{.title = "Double spherical pendulum", .time = times, .scene = scene_of(model, run.states)};
//   page.charts.push_back({.title = "Energy error", .unit = "J", .series = {{"E(t) - E(0)", errors}}});
//   write_report("run.html", page);
//
// Every series has one number per time. The page stays under 20 MB: of a long run only some frames are written, always
// with the first and the last one, and the page says so. A number that is not finite is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hamel/record/kept.hpp"
#include "hamel/report/modes_part.hpp"
#include "hamel/report/scene.hpp"

namespace hamel {

struct Fact {
  std::string name, value;  // "degrees of freedom", "4"
};

struct EquationGroup {
  std::string title;
  std::vector<std::string> latex;  // one displayed formula each
  std::string note = {};           // words below them, or instead of them
};

struct Series {
  std::string name;
  std::vector<double> values;
};

struct Chart {
  std::string title, unit = {};
  bool log = false;  // what is not positive is left out of a logarithmic chart
  std::vector<Series> series = {};
  std::string axis = {};  // what the numbers are, beside the unit; empty: the title
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Picture {
  std::string title, svg;
  std::string caption = {};
};

struct Page {
  std::string title;
  std::string description = {};  // paragraphs are separated by empty lines
  std::string warning = {};      // what readers must know first: that the run ended early
  std::string model_text = {};
  std::string facts_title = "The run";
  std::vector<Fact> facts = {};
  std::vector<Table> tables = {};
  std::vector<Picture> pictures = {};
  std::vector<EquationGroup> equations = {};
  std::vector<Followed> conserved = {};
  std::vector<double> time = {};
  std::size_t recorded = 0;    // states, of which these are some; 0: these are all
  std::string time_unit = {};  // empty: not known
  std::vector<Chart> charts = {};
  std::vector<Chart> coordinates = {};  // of which the reader chooses one
  std::string coordinates_note = {};    // that some are left out
  Scene scene = {};
  std::optional<ModesPart> modes = {};  // of a page about equilibria: its frames are pieces of film, never thinned
};

struct PageLimits {
  std::size_t bytes = 19'500'000;
  std::size_t frames = 20'000;
};

// The frames that are shown of `count`: at most `limit`, evenly spaced, the first and the last one among them.
std::vector<std::size_t> chosen_frames(std::size_t count, std::size_t limit);

// The whole file.
std::string to_html(const Page& page, const PageLimits& limits = {});

// What the page shows, without the page, for viewers elsewhere; the bytes are those of the data alone.
std::string page_data(const Page& page, const PageLimits& limits = {});

// A file that exists is replaced only if that is asked for, and by a complete report: record/output_file.hpp.
void write_report(const std::string& path, const Page& page, bool overwrite = false, const PageLimits& limits = {});

}  // namespace hamel
