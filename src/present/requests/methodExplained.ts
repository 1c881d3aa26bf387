import { channelMethod } from "../../actions/changes/changes.ts";
import { sessionRefusal } from "../../actions/gate/policy.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { channelTable, methodTable, type MethodEntry } from "../../catalogue/reference/methodTable.ts";
import { paramFactsOf, type ParamFacts } from "../../catalogue/reference/paramFacts.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import * as l10n from "../../base/l10n.ts";
import { methodGroups } from "./methodChoices.ts";
import { foundList, methodDetails, methodNamed, nothingFound } from "./methodText.ts";

/* What a language model is told of methods, so that it can write requests. All of it ships: nothing is sent for it. */

/**
 * Returns all that is known of the method with this name, with a request to fill in. For other words, returns the
 * methods and channels that have all of them, by section.
 */
export function explainedMethods(asked: string): string {
  const table = methodTable();
  const named = methodNamed(table, asked);
  if (named !== undefined) return explained(named);
  const choices = methodGroups(asked).flatMap((group) => group.choices);
  const methods = choices.flatMap(({ method }) => table.find(({ name }) => name === method) ?? []);
  const channels = channelTable().filter(({ pattern }) => choices.some(({ label }) => label === pattern));
  const [only] = methods;
  if (only !== undefined && methods.length + channels.length === 1) return explained(only);
  return choices.length === 0 ? nothingFound(asked, table) : foundList(methods, channels);
}

function explained(entry: MethodEntry): string {
  const refusal = sessionRefusal(entry.name);
  return [
    l10n.t("From the catalogue of Trading RPC. Nothing was sent."),
    "",
    methodDetails(entry),
    ...(refusal === undefined ? requestLines(entry) : [refusal]),
  ].join("\n");
}

function requestLines({ name, effect }: MethodEntry): readonly string[] {
  return [
    l10n.t("No tool sends this request. The user can send it from a request file (*.rpc.json)."),
    ...(effect === "read" || channelMethod(name) !== undefined
      ? []
      : [l10n.t("It is a change: the user sees a confirmation first, as for every change.")]),
    l10n.t("A request with the required parameters. Replace each {0} with a value:", "{{…}}"),
    "```json",
    requestTemplate(name),
    "```",
  ];
}

/**
 * Returns a request with the required parameters, as a file has it. Each value is an undefined variable, so that the
 * request is not sent before all values are filled in.
 */
export function requestTemplate(method: string): string {
  const secrets = new Set(methodFacts(method)?.paramSecrets);
  const params = paramFactsOf(method)
    .filter(({ isRequired }) => isRequired)
    .map((facts) => [facts.name, secrets.has(facts.name) ? secretValue(facts.name) : templateOf(facts)] as const);
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: Object.fromEntries(params) }, undefined, 2);
}

/** Returns the value of a secret, which a file must not hold: the token of the session, or what the user enters. */
function secretValue(name: string): string {
  return name === "refresh_token" ? SESSION_REFRESH_TOKEN : `{{$ask.${name}}}`;
}

function templateOf({ name, type, members }: ParamFacts): unknown {
  const value = `{{${name}}}`;
  if (members.length === 0) return type === "array" ? [value] : value;
  const object = Object.fromEntries(
    members.filter((each) => each.type !== "boolean").map((each) => [each.name, templateOf(each)]),
  );
  return type === "array" ? [object] : object;
}
