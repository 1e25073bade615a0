// Text that others wrote, such as the name of a model, made harmless for the format that it goes into.
//
// One function for each format, and whatever writes that format uses it:
//
//   fmt::format("/* {} */", c_comment(model.name()))
//
// What cannot be seen (control characters, marks that turn the direction of writing, bytes that are no UTF-8) is
// replaced in all of them.
#pragma once

#include <string>
#include <string_view>

namespace hamel {

std::string visible(std::string_view text);       // one line for a terminal
std::string c_comment(std::string_view text);     // between /* and */, on one line
std::string c_identifier(std::string_view text);  // letters, digits and underscores
std::string latex_word(std::string_view text);    // in \mathrm{...}
std::string xml_text(std::string_view text);      // HTML and SVG: between tags, or within quotes
std::string json_in_html(std::string_view json);  // JSON within a <script>
std::string csv_field(std::string_view text);     // RFC 4180, and never a formula of a spreadsheet
bool is_plain_word(std::string_view text);        // the same in every shell: letters, digits, and . _ - + inside

}  // namespace hamel
