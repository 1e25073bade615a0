#include "hamel/studio/studio.hpp"

#include "hamel/language/source.hpp"
#include "studio/session.hpp"

namespace hamel {

namespace studio {

namespace {

using Action = std::string (*)(Session&, const Json&);

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <auto member>
std::string call(Session& session, const Json& request) {
  if constexpr (std::is_same_v<decltype((session.*member)(request)), std::string>)
    return (session.*member)(request);
  else
    return dumped((session.*member)(request));
}

const std::map<std::string, Action>& actions() {
  static const std::map<std::string, Action> all = {{"read", call<&Session::read>},
                                                    {"with", call<&Session::with>},
                                                    {"examine", call<&Session::examine>},
                                                    {"equations", call<&Session::equations>},
                                                    {"equilibria", call<&Session::equilibria>},
                                                    {"begin", call<&Session::begin>},
                                                    {"advance", call<&Session::advance>},
                                                    {"final", call<&Session::final>},
                                                    {"page", call<&Session::page>},
                                                    {"end", call<&Session::end>}};
  return all;
}

std::string perform(Session& session, const std::string& text) {
  const Json request = Json::parse(text);
  const std::string name = request.at("do").get<std::string>();
  const auto found = actions().find(name);
  if (found == actions().end()) throw std::invalid_argument("nothing is called " + name);
  return found->second(session, request);
}

std::string refused(const Json& why) { return dumped(Json{{"refused", why}}); }

}  // namespace

}  // namespace studio

Studio::Studio() : session_(std::make_unique<studio::Session>()) {}
Studio::~Studio() = default;

std::string Studio::answer(const std::string& request) {
  using studio::refused;
  try {
    return studio::perform(*session_, request);
  } catch (const SourceError& error) {
    const Place& place = error.place();
    return refused({{"message", error.message()},
                    {"line", place.line()},
                    {"column", place.column()},
                    {"begin", place.begin},
                    {"length", place.length}});
  } catch (const std::bad_alloc&) {
    return refused({{"message", "this needs more memory than there is; take a smaller system or fewer outputs"}});
  } catch (const std::exception& error) {
    return refused({{"message", error.what()}});
  }
}

}  // namespace hamel
