#include "hamel/studio/studio.hpp"

#include "hamel/language/source.hpp"
#include "studio/perform.hpp"

namespace hamel {

namespace studio {

namespace {

using Action = std::string (*)(Session&, const Json&);

template <auto member>
std::string call(Session& session, const Json& request) {
  if constexpr (std::is_same_v<decltype((session.*member)(request)), std::string>)
    return (session.*member)(request);
  else
    return text_of((session.*member)(request));
}

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all = {{"read", call<&Session::read>},
                                                    {"with", call<&Session::with>},
                                                    {"grasp", call<&Session::grasp>},
                                                    {"examine", call<&Session::examine>},
                                                    {"equations", call<&Session::equations>},
                                                    {"code", call<&Session::code>},
                                                    {"equilibria", call<&Session::equilibria>},
                                                    {"begin", call<&Session::begin>},
                                                    {"advance", call<&Session::advance>},
                                                    {"final", call<&Session::final>},
                                                    {"page", call<&Session::page>},
                                                    {"report", call<&Session::report>},
                                                    {"columns", call<&Session::columns>},
                                                    {"end", call<&Session::end>}};
  return all;
}

}  // namespace

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string perform(Session& session, const std::string& name, const Json& request) {
  const auto found = actions().find(name);
  if (found == actions().end()) throw std::invalid_argument("nothing is called " + name);
  return found->second(session, request);
}

Json why(const std::exception& error) {
  if (const auto* mistake = dynamic_cast<const SourceError*>(&error)) {
    const Place& place = mistake->place();
    return {{"message", mistake->message()},
            {"line", place.line()},
            {"column", place.column()},
            {"begin", place.begin},
            {"length", place.length}};
  }
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {{"message", "this needs more memory than there is; take a smaller system or fewer outputs"}};
  return {{"message", error.what()}};
}

}  // namespace studio

Studio::Studio() : session_(std::make_unique<studio::Session>()) {}
Studio::~Studio() = default;

std::string Studio::answer(const std::string& request) {
  try {
    const studio::Json asked = studio::Json::parse(request);
    return studio::perform(*session_, asked.at("do").get<std::string>(), asked);
  } catch (const std::exception& error) {
    return studio::text_of({{"refused", studio::why(error)}});
  }
}

}  // namespace hamel
