#include "report/template.hpp"

// The file viewer/template.html, put into the program by the assembler.
asm(".section .rodata\n"
    ".global hamel_page_template, hamel_page_template_end\n"
    "hamel_page_template:\n"
    ".incbin \"" HAMEL_PAGE_TEMPLATE
    "\"\n"
    "hamel_page_template_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char hamel_page_template[];
extern "C" const char hamel_page_template_end[];

namespace hamel {

std::string_view page_template() {
  return {hamel_page_template, static_cast<std::size_t>(hamel_page_template_end - hamel_page_template)};
}

}  // namespace hamel
