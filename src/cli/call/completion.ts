import * as l10n from "../../base/l10n.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { methodTable, type MethodEntry, type ParamEntry } from "../../catalogue/reference/methodTable.ts";
import { ENVIRONMENTS_BY_NAME } from "../../requests/file/readRequest.ts";
import { COMMANDS } from "../arguments.ts";
import { auditHelp, stressHelp } from "../stress/stressHelp.ts";
import { HELP_TOPICS, helpText } from "../help.ts";
import { CALL_OPTIONS } from "./callArguments.ts";

/**
 * Returns the completion script for bash: commands, their options, methods, and the parameters and known values of each
 * method. It needs no program while it completes. An equals sign ends a word of readline, so that a value is completed
 * without its name.
 */
export function bashCompletion(): string {
  const methods = methodTable();
  return [
    `# ${l10n.t("Completion of trading-rpc for bash. To use it, add this line to your .bashrc:")}`,
    '# eval "$(trading-rpc completion bash)"',
    ...caseFunction("_trading_rpc_params", '"$1"', paramLines(methods)),
    ...caseFunction("_trading_rpc_values", '"$1:$2"', valueLines(methods)),
    ...caseFunction("_trading_rpc_options", '"$1"', optionLines()),
    ...SCRIPT({
      commands: COMMANDS,
      methods: methods.map(({ name }) => name),
      environments: [...ENVIRONMENTS_BY_NAME.keys()],
    }),
    "",
  ].join("\n");
}

/** Returns a function that prints words by its arguments. Lines with the same words are one case. */
function caseFunction(name: string, subject: string, lines: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const byWords = new Map<string, string[]>();
  for (const [pattern, words] of lines) {
    if (words.length === 0) continue;
    const key = words.join(" ");
    byWords.set(key, [...(byWords.get(key) ?? []), pattern]);
  }
  return [
    `${name}() {`,
    `  case ${subject} in`,
    ...[...byWords].map(([words, cases]) => `  ${cases.join("|")}) echo '${words}' ;;`),
    "  esac",
    "}",
  ];
}

/** Returns the parameters of each method as they are typed: with an equals sign, a secret with the sign for a file. */
function paramLines(methods: readonly MethodEntry[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    methods.map(({ name, params }) => {
      const secrets = methodFacts(name)?.paramSecrets ?? [];
      return [name, params.map((each) => `${each.name}=${secrets.includes(each.name) ? "@" : ""}`)];
    }),
  );
}

function valueLines(methods: readonly MethodEntry[]): ReadonlyMap<string, readonly string[]> {
  return new Map(methods.flatMap(({ name, params }) => params.map((each) => [`${name}:${each.name}`, valuesOf(each)])));
}

/** Returns the known values of a parameter that need no quotes. */
function valuesOf({ type, enum: known = [] }: ParamEntry): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  return known.map(String).filter((each) => /^[\w.-]+$/.test(each));
}

/** Returns the options of each command, from its help. */
function optionLines(): ReadonlyMap<string, readonly string[]> {
  const optionsIn = (help: string): readonly string[] => [...new Set(help.match(/(?<= )--[a-z][a-z-]*/g))];
  return new Map<string, readonly string[]>([
    ...HELP_TOPICS.map(
      (topic) =>
        [topic, topic === "call" ? [...CALL_OPTIONS, "--json", "--help"] : optionsIn(helpText(topic))] as const,
    ),
    ["stress", optionsIn(stressHelp())],
    ["audit", optionsIn(auditHelp())],
  ]);
}

interface Words {
  readonly commands: readonly string[];
  readonly methods: readonly string[];
  readonly environments: readonly string[];
}

/** Returns the function that readline calls. It runs in bash 3.2 too, which macOS has. */
function SCRIPT({ commands, methods, environments }: Words): readonly string[] {
  return [
    "_trading_rpc() {",
    "  local line=${COMP_LINE:0:COMP_POINT} word='' last='' reply='' name words",
    '  read -ra words <<<"$line"',
    "  case $line in",
    "  *[[:space:]]) ;;",
    "  *)",
    "    word=${words[${#words[@]} - 1]}",
    '    unset "words[${#words[@]} - 1]"',
    "    ;;",
    "  esac",
    "  [ ${#words[@]} -gt 0 ] && last=${words[${#words[@]} - 1]}",
    "  COMPREPLY=()",
    "  case ${#words[@]}:${words[1]}:$word in",
    `  1:*) reply='${commands.join(" ")}' ;;`,
    `  *:completion:*) reply=bash ;;`,
    '  *:*:-*) reply=$(_trading_rpc_options "${words[1]}") ;;',
    "  2:call:*|*:methods:*)",
    `    reply='${methods.join(" ")}'`,
    "    ;;",
    "  *:call:*=*)",
    "    name=${word%%=*}",
    '    reply=$(_trading_rpc_values "${words[2]}" "$name")',
    "    case $COMP_WORDBREAKS in",
    "    *=*) word=${word#*=} ;;",
    '    *) reply=$(for each in $reply; do echo "$name=$each"; done) ;;',
    "    esac",
    "    ;;",
    "  *:call:*)",
    '    for name in $(_trading_rpc_params "${words[2]}"); do',
    '      case " ${words[*]}" in',
    '      *" ${name%@}"*) ;;',
    '      *) reply="$reply $name" ;;',
    "      esac",
    "    done",
    "    compopt -o nospace 2>/dev/null",
    "    ;;",
    "  esac",
    "  case $last in",
    `  --env) reply='${environments.join(" ")}' ;;`,
    "  esac",
    '  [ -n "$reply" ] && COMPREPLY=($(compgen -W "$reply" -- "$word"))',
    "  return 0",
    "}",
    "complete -o default -F _trading_rpc trading-rpc",
  ];
}
