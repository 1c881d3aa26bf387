import { CHAT_INPUTS, type ChatInput, type ChatParam } from "../../base/chatInputs.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** The parameters of a tool as a language model gives them. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns the parameters without null values, which models write for what they leave out. */
export function inputOf(given: unknown): Input {
  return isObject(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) : {};
}

/**
 * Returns the first problem of what a model gives a tool, as a sentence that names the parameter; undefined where there
 * is none. VS Code passes on everything, and a parameter that can't be read would otherwise count as omitted: of a
 * cancel, which would then cancel more. So for anything but a read of a list, a null, an unknown name, and a missing
 * parameter are problems too. The tools say themselves which connections can be named.
 */
export function inputProblem(tool: string, given: unknown, isListRead: boolean): Plain | undefined {
  if (given !== undefined && given !== null && !isObject(given))
    return l10n.t("The parameters must be a JSON object. Nothing was sent.");
  const { params, required = [] } = inputs[tool.replace("tradingRpc_", "")] ?? { params: {} };
  const input = isListRead ? inputOf(given) : (given ?? {});
  const problems = Object.entries(input).map(([name, value]) => {
    const param = Object.hasOwn(params, name) ? params[name] : undefined;
    if (param !== undefined) return paramProblem(plain.name(name), param, value);
    return isListRead ? undefined : l10n.t("This tool has no parameter {0}. Nothing was sent.", plain.name(name));
  });
  const missing = isListRead
    ? undefined
    : required.find((name) => name !== "connection" && !Object.hasOwn(input, name));
  const missed = missing === undefined ? [] : [l10n.t("Set the parameter {0}. Nothing was sent.", plain.name(missing))];
  return [...problems, ...missed].find((each) => each !== undefined);
}

const inputs: Readonly<Record<string, ChatInput>> = CHAT_INPUTS;

function fits({ type, enum: values, minimum = -Infinity, maximum = Infinity }: ChatParam, value: unknown): boolean {
  if (type === "integer")
    return typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum;
  if (type === "boolean") return typeof value === "boolean";
  return typeof value === "string" && (values === undefined || values.includes(value));
}

function paramProblem(name: Plain, param: ChatParam, value: unknown): Plain | undefined {
  if (fits(param, value)) return undefined;
  const { type, enum: values, minimum, maximum } = param;
  const shown = plain.name(JSON.stringify(value));
  if (type === "boolean")
    return l10n.t("The parameter {0} must be true or false, not {1}. Nothing was sent.", name, shown);
  if (type === "integer")
    return minimum === undefined || maximum === undefined
      ? l10n.t("The parameter {0} must be an integer, not {1}. Nothing was sent.", name, shown)
      : l10n.t(
          "The parameter {0} must be an integer from {1} to {2}, not {3}. Nothing was sent.",
          name,
          minimum,
          maximum,
          shown,
        );
  return values === undefined
    ? l10n.t("The parameter {0} must be a string, not {1}. Nothing was sent.", name, shown)
    : l10n.t(
        "The parameter {0} must be one of {1}, not {2}. Nothing was sent.",
        name,
        plain.text(values.join(", ")),
        shown,
      );
}
