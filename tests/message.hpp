// What an error says.
#pragma once

#include <exception>
#include <string>

namespace hamel::test {

// Of the error that an action throws; one of another kind is called so.
template <class Error = std::exception, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return (dynamic_cast<const Error*>(&error) == nullptr ? "another error: " : "") + std::string(error.what());
  }
  return "no error";
}

}  // namespace hamel::test
