// What is asked by name, and how a mistake is answered.
#pragma once

#include <exception>
#include <string>

#include "studio/session.hpp"

namespace hamel::studio {

// The answer, JSON; throws.
std::string perform(Session& session, const std::string& name, const Json& request);
// What was thrown, with its place in the text where it has one.
Json why(const std::exception& error);
std::string text_of(const Json& json);  // bytes that are no UTF-8 are replaced

}  // namespace hamel::studio
