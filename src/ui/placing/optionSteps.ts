import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isDecimal } from "../../actions/changes/orderLine.ts";
import type { OrderOptions } from "../../actions/changes/placeOrder.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, StepFrame } from "../editor/dialogSteps.ts";

/* The terms of an order that are not in its line. */

type OptionName = keyof OrderOptions;

/** Lets the user change options one after another until they are done. Undefined when the user left. */
export async function askOptions(
  frame: StepFrame,
  given: OrderOptions,
  dialogs: Pick<Dialogs, "askChoice" | "askText">,
): Promise<OrderOptions | undefined> {
  let options = given;
  for (;;) {
    const choices: Choice<OptionName | "done">[] = [
      { label: l10n.t("$(check) Back to the Order"), value: "done" },
      ...NAMES.map((name) => ({ label: plain`${name}`, description: shownOption(options, name), value: name })),
      {
        label: l10n.t("Post-Only"),
        description:
          options.isTaking === true
            ? l10n.t("no, a limit order may trade at once")
            : l10n.t("yes, a limit order that would trade at once is rejected (default)"),
        value: "isTaking",
      },
    ];
    const result = await dialogs.askChoice({
      ...frame,
      placeholder: l10n.t("Select an option to change it"),
      choices,
      isPresent: (value) => value === "done",
    });
    if (result.kind === "left") return undefined;
    if (result.kind === "back" || result.value === "done") return options;
    const changed = await askOption(frame, options, result.value, dialogs);
    if (changed === undefined) return undefined;
    options = changed;
  }
}

const NAMES = [
  "type",
  "trigger",
  "trigger_price",
  "trigger_offset",
  "time_in_force",
  "display_amount",
  "label",
] as const;

/** The values that the exchange documents. https://docs.deribit.com/api-reference/trading/private-buy */
const VALUES: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  type: ["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"],
  trigger: ["index_price", "mark_price", "last_price"],
  time_in_force: ["good_til_cancelled", "good_til_day"],
};

function shownOption(options: OrderOptions, name: Exclude<OptionName, "isTaking">): Plain {
  const option = options[name];
  if (option !== undefined) return plain.text(option);
  return name === "label" ? l10n.t("generated") : l10n.t("default");
}

async function askOption(
  frame: StepFrame,
  options: OrderOptions,
  name: OptionName,
  dialogs: Pick<Dialogs, "askChoice" | "askText">,
): Promise<OrderOptions | undefined> {
  if (name === "isTaking") return { ...options, isTaking: options.isTaking !== true };
  const { [name]: present, ...others } = options;
  const values = VALUES[name];
  const result =
    values === undefined
      ? await dialogs.askText({
          ...frame,
          prompt: name === "label" ? labelPrompt() : l10n.t("{0}: a number. Leave it empty for none.", name),
          placeholder: plain`${name}`,
          value: present ?? "",
          problemOf: (text) => optionProblem(name, text),
        })
      : await dialogs.askChoice({
          ...frame,
          placeholder: plain`${name}`,
          choices: [
            { label: l10n.t("Default"), value: "" },
            ...values.map((value): Choice<string> => ({ label: plain.name(value), value })),
          ],
          isPresent: (value) => value === (present ?? ""),
        });
  if (result.kind === "left") return undefined;
  if (result.kind === "back") return options;
  return result.value === "" ? others : { ...options, [name]: result.value };
}

function labelPrompt(): Plain {
  return l10n.t("Label, up to {0} characters. Leave it empty for a generated one.", MAX_LABEL);
}

/** The most characters of a label. https://docs.deribit.com/api-reference/trading/private-buy */
const MAX_LABEL = 64;

function optionProblem(name: OptionName, text: string): Plain | undefined {
  if (text === "") return undefined;
  if (name === "label")
    return text.length <= MAX_LABEL ? undefined : l10n.t("A label can have up to {0} characters.", MAX_LABEL);
  return isDecimal(text) ? undefined : l10n.t("Enter a number such as 40, 0.001, or 1e-8.");
}
