// Shell completion: the shell asks `hamel completion words` what could come next.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "gallery.hpp"
#include "hamel/graph/escape.hpp"
#include "hamel/integrate/method.hpp"

namespace hamel::cli {

namespace {

constexpr const char* bash_script = R"sh(_hamel() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(hamel completion words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
  COMPREPLY+=($(compgen -f -X '!*.@(toml|h5)' -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -o default -F _hamel hamel
)sh";

constexpr const char* zsh_script = R"sh(#compdef hamel
_hamel() {
  local -a words_known
  words_known=("${(@f)$(hamel completion words "${words[2,CURRENT-1][@]}" 2>/dev/null)}")
  compadd -a words_known
  _files
}
compdef _hamel hamel
)sh";

constexpr const char* fish_script =
    R"sh(complete -c hamel -a '(hamel completion words (commandline -opc)[2..-1] 2>/dev/null)'
)sh";

void print_words(CLI::App& program, const std::vector<std::string>& before) {
  if (before.empty()) {
    for (const CLI::App* command : program.get_subcommands({})) fmt::print("{}\n", command->get_name());
    return;
  }
  if (before.back() == "--integrator" || before.back() == "--integrators") {
    for (const std::string& name : method_names()) fmt::print("{}\n", name);
    return;
  }
  const auto commands = program.get_subcommands([&](const CLI::App* app) { return app->get_name() == before.front(); });
  if (commands.empty()) return;
  for (const CLI::Option* option : commands.front()->get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    for (const std::string& name : option->get_lnames()) fmt::print("--{}\n", name);
  }
  if (commands.front()->get_option_no_throw("model") != nullptr)
    for (const GalleryModel& model : gallery())
      if (is_plain_word(model.name)) fmt::print("{}\n", model.name);  // compgen expands the words that it is given
}

}  // namespace

void add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "completion for your shell");
  command->footer("Example:\n  source <(hamel completion bash)");
  const auto shell = std::make_shared<std::string>();
  const auto before = std::make_shared<std::vector<std::string>>();
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish", "words"}));
  command->add_option("before", *before, "")->group("");
  command->prefix_command();
  command->callback([&program, command, shell, before] {
    std::vector<std::string> words = *before;
    for (const std::string& rest : command->remaining()) words.push_back(rest);
    if (*shell == "words") return print_words(program, words);
    fmt::print("{}", *shell == "bash" ? bash_script : *shell == "zsh" ? zsh_script : fish_script);
  });
}

}  // namespace hamel::cli
