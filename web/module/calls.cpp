// The one function that the page calls: JSON in, JSON out. `do` names what is to be done, session.hpp lists it all.
#include <string>

#include "hamel/language/source.hpp"
#include "session.hpp"

namespace hamel::web {

namespace {

using Action = std::string (*)(Session&, const Json&);

template <auto member>
std::string call(Session& session, const Json& request) {
  if constexpr (std::is_same_v<decltype((session.*member)(request)), std::string>)
    return (session.*member)(request);
  else
    return (session.*member)(request).dump(-1, ' ', false, Json::error_handler_t::replace);
}

const std::map<std::string, Action> actions = {{"read", call<&Session::read>},
                                               {"with", call<&Session::with>},
                                               {"examine", call<&Session::examine>},
                                               {"equations", call<&Session::equations>},
                                               {"equilibria", call<&Session::equilibria>},
                                               {"begin", call<&Session::begin>},
                                               {"advance", call<&Session::advance>},
                                               {"final", call<&Session::final>},
                                               {"page", call<&Session::page>},
                                               {"end", call<&Session::end>}};

std::string refused(const Json& why) {
  return Json{{"refused", why}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string answer(Session& session, const char* text) {
  try {
    const Json request = Json::parse(text);
    return actions.at(request.at("do").get<std::string>())(session, request);
  } catch (const SourceError& error) {
    const Place& place = error.place();
    return refused({{"message", error.message()},
                    {"line", place.line()},
                    {"column", place.column()},
                    {"begin", place.begin},
                    {"length", place.length}});
  } catch (const std::bad_alloc&) {
    return refused({{"message", "this needs more memory than the page has; take a smaller system or fewer outputs"}});
  } catch (const std::exception& error) {
    return refused({{"message", error.what()}});
  }
}

}  // namespace

}  // namespace hamel::web

// The answer lives until the next call.
extern "C" __attribute__((used)) const char* hamel_call(const char* request) {
  static hamel::web::Session session;
  static std::string text;
  text = hamel::web::answer(session, request);
  return text.c_str();
}
