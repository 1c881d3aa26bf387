import { editOpenOrder, type EditWish } from "../../actions/changes/editOrders.ts";
import { cancelOrder, type OrderContext } from "../../actions/changes/orders.ts";
import { generatedLabel, KNOWN_IDS, PLACE_METHODS, SIDES } from "../../actions/changes/placingNames.ts";
import { tradeWords } from "../../actions/changes/tradeWords.ts";
import { decimalText } from "../../actions/intent/decimal.ts";
import { SEND_WITHIN_MS, type Intent } from "../../actions/intent/intent.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import { outcomeText } from "../../present/outcomes/outcomeText.ts";
import { fenced, outcomeHead } from "../../present/requests/chatText.ts";
import { failureSentences } from "../../present/text/failureText.ts";
import type { Times } from "../../present/text/times.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import type { Order } from "../../state/orders.ts";
import { untilSettled } from "../settle.ts";
import { provedOf, provedSentence } from "../steps.ts";
import type { Shell } from "../shell.ts";
import type { AgentServer } from "./agentServer.ts";
import type { ToolResult } from "./protocol.ts";
import type { ToolInput } from "./toolInput.ts";

/* What agents change: orders of a simulator, by its gate, which sends once and judges what came of it. */

/** What a change is made with. */
export interface TradingPorts {
  readonly server: Extract<AgentServer, { readonly kind: "simulator" }>;
  readonly shell: Pick<Shell, "clock" | "uuid" | "stopWaiting">;
  readonly times: Times;
  /** Fires when the client does not want the change any longer: what was not sent yet is not sent. */
  readonly signal: AbortSignal;
}

/** The arguments for an order to place that are parameters of its method. */
export const PLACE_PARAMS = [
  ...["instrument_name", "amount", "type", "price", "time_in_force", "post_only", "reject_post_only", "reduce_only"],
  ...["trigger", "trigger_price", "trigger_offset", "display_amount", "label"],
] as const;

/** The parameters of an edit that an agent gives. */
export const EDIT_PARAMS = ["order_id", "amount", "price", "trigger_price"] as const;

/** How long the outcome of a change is looked up before the tool ends, in ms: clients wait a minute at most. */
const LOOKUP_MS = 20_000;

/** Places an order with the terms that were given, and a label by which it is found again. `input` was checked. */
export async function placeForAgent(input: ToolInput, ports: TradingPorts): Promise<ToolResult> {
  const { live } = ports.server;
  const { side, ...given } = input;
  const method = PLACE_METHODS[SIDES.find((each) => each === side) ?? "buy"];
  const { label = generatedLabel(ports.shell.uuid().replaceAll("-", "").slice(0, 16)) } = given;
  const literals = new Map(Object.entries({ ...given, label }).map(([name, value]) => [name, literalOf(value)]));
  const known = [...live.orders.snapshot.items.values()].filter(({ order }) => order.label === label);
  const instrument = plain.name(String(given["instrument_name"]));
  const intent: Intent = {
    method,
    paramsText: `{${[...literals].map(([name, literal]) => `${JSON.stringify(name)}:${literal}`).join(",")}}`,
    origin: "agent",
    words: {
      ...{ action: l10n.t("Place Order"), target: instrument, detail: [], keep: l10n.t("Don't Place") },
      ...tradeWords(method, (name) => literals.get(name)),
    },
    before: { [KNOWN_IDS]: known.map(({ order }) => order.order_id).join(" ") },
    validForMs: SEND_WITHIN_MS,
  };
  return await submit(intent, ports);
}

/** Returns a value as it is sent: a number without an exponent. */
function literalOf(value: unknown): string {
  return typeof value === "number" ? decimalText(value) : JSON.stringify(value);
}

/** Edits an order. `input` was checked. */
export async function editForAgent(input: ToolInput, ports: TradingPorts): Promise<ToolResult> {
  const fields = { amount: "amount", price: "price", trigger: "trigger_price" } as const;
  const wish: EditWish = Object.fromEntries(
    Object.entries(fields).flatMap(([field, name]) => {
      const value = input[name];
      return typeof value === "number" ? [[field, decimalText(value)]] : [];
    }),
  );
  return await changeOrder(input, ports, (order, context) => editOpenOrder(order, wish, context));
}

/** Cancels an order. `input` was checked. */
export async function cancelForAgent(input: ToolInput, ports: TradingPorts): Promise<ToolResult> {
  return await changeOrder(input, ports, cancelOrder);
}

/** Reads the order that is meant, and makes the change of it. */
async function changeOrder(
  input: ToolInput,
  ports: TradingPorts,
  intentOf: (order: Order, context: OrderContext) => Intent,
): Promise<ToolResult> {
  const { server, shell, signal } = ports;
  let intent: Intent;
  try {
    const result = await server.reader.read(ORDER_STATE_METHOD, { order_id: String(input["order_id"]) }, { signal });
    const order = readRow("order", result);
    if (order === undefined) return notSent(l10n.t("The order can't be read."));
    intent = intentOf(order, { origin: "agent", nowMs: shell.clock.now(), current: () => order });
  } catch (thrown) {
    return notSent(failureSentences(toFailure(thrown), "read", server.place));
  }
  return await submit(intent, ports);
}

function notSent(reason: Plain): ToolResult {
  return { isError: true, text: [l10n.t("Nothing was sent and nothing was changed."), fenced(reason)].join("\n") };
}

async function submit(intent: Intent, { server, shell, times, signal }: TradingPorts): Promise<ToolResult> {
  const { live, place } = server;
  // The type says so already. A server that turns out to be another one gets nothing.
  if (live.environment !== "simulator") return notSent(l10n.t("{0} is not a simulator.", place));
  const outcome = await live.gate.submit(intent, { stop: signal });
  const found = outcome.kind === "unknown" ? await lookUp(intent, { server, shell, times }) : undefined;
  const isMade = outcome.kind === "confirmed" || outcome.kind === "confirmedOther" || found?.proof === "made";
  const told =
    found === undefined || found.sentence === "" ? outcomeText(outcome, { intent, place, times }) : found.sentence;
  const isProved = found !== undefined && found.proof !== "open";
  return { isError: !isMade, text: [headOf(outcome, place, isProved), fenced(told)].join("\n") };
}

/** What reads have found out about a change without a readable response. */
interface Found {
  readonly proof: "made" | "notMade" | "open";
  /** Empty where they say nothing. */
  readonly sentence: Plain;
}

/** Waits until reads have proved the outcome of a change, or nothing is read for it any more. */
async function lookUp(
  intent: Intent,
  { server: { live, place }, shell, times }: Pick<TradingPorts, "server" | "shell" | "times">,
): Promise<Found | undefined> {
  await untilSettled(live.gate, shell.clock, {
    ...{ stop: AbortSignal.abort(), stoppedMs: LOOKUP_MS },
    stopWaiting: shell.stopWaiting,
  });
  // The gate adds a deadline to the parameters; the words stay the intent's own.
  const entry = live.gate.activity.find((each) => each.intent.words === intent.words);
  if (entry === undefined) return undefined;
  const proof = provedOf(entry);
  return {
    proof: proof === "open" ? "open" : proof === "notDone" ? "notMade" : "made",
    sentence: provedSentence(entry, { intent, place, times }),
  };
}

function headOf(outcome: Outcome, place: Plain, isRead: boolean): Plain {
  return outcomeHead(outcome, place, {
    confirmed: l10n.t("{0}: sent, and the exchange responded.", place),
    confirmedOther: l10n.t("{0}: sent, but the exchange reports a different result than requested.", place),
    unknown: isRead
      ? l10n.t("{0}: sent without a readable response. This is what reads have shown since.", place)
      : l10n.t(
          "{0}: the outcome is unknown. The change may or may not have been made. Do not send it again. Read the open orders to see.",
          place,
        ),
  });
}
