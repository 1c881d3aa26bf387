import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { cancelOrder, describeOrder } from "../../actions/changes/orders.ts";
import { cancelAllQuotes, type QuotesScope } from "../../actions/changes/quotes.ts";
import { isDeclined } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  chatResponseText,
  chatCodeText,
  chatErrorText,
  chatOutcomeText,
  fenced,
} from "../../present/requests/chatText.ts";
import { outcomeText } from "../../present/outcomes/outcomeText.ts";
import { openOrder, orderLookups } from "../../state/orders.ts";
import { isCountable } from "../../state/snapshot.ts";
import { inputOf, inputProblem, type Input } from "./input.ts";
import type { Ui } from "../ui.ts";
import { OPEN_ORDERS_METHOD, OPEN_ORDERS_OF_INSTRUMENT_METHOD } from "../../state/orderRows.ts";
import { SUMMARIES_METHOD, SUMMARY_METHOD } from "../../state/account.ts";
import { POSITION_METHOD, POSITIONS_METHOD } from "../../state/positions.ts";
import { KEYS_METHOD } from "../../state/apiKeys.ts";
import { MMP_CONFIG_METHOD } from "../../state/mmp.ts";
import { BLOCK_TRADE_METHOD, BLOCK_TRADES_METHOD } from "../../state/blockTrades.ts";
import { TRADES_METHOD } from "../../state/tradePages.ts";
import { createQuotesStore } from "../../state/quotes.ts";

/**
 * The tools that a language model may call. All of them go through the gate of a connection that the user has opened;
 * none opens one. A dialog of ours confirms every change, whatever the chat was allowed.
 */
export interface ChatTools {
  /** Returns what VS Code shows and confirms before a tool runs. Has no effects. */
  prepare(name: string, input: unknown): PreparedTool;
  /** Runs a tool and returns a text about its outcome. Throws `CallError` for an unknown tool, and for nothing else. */
  invoke(name: string, input: unknown, token: StopToken): Promise<string>;
}

/** The part of the VS Code interface that is used. */
export interface PreparedTool {
  readonly invocationMessage: string;
  readonly confirmationMessages?: { readonly title: string; readonly message: string };
}

/** Fires when the chat is stopped. */
export interface StopToken {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: (listener: () => void) => Disposable;
}

type ChatUi = Pick<Ui, "clock" | "log" | "times"> & {
  readonly connections: Pick<Ui["connections"], "active">;
  readonly liveConnections: Pick<Ui["liveConnections"], "all">;
  readonly notices: Pick<Ui["notices"], "showOutcome">;
  readonly screen: Pick<Ui["screen"], "hide">;
  readonly settings: Pick<Ui["settings"], "chatAccess" | "connection">;
  /** Whether the folder is trusted: in Restricted Mode its texts may not cause a look into an account. */
  readonly isTrusted: () => boolean;
  /** Returns what the catalogue has of methods (`explainedMethods`). It is in a part that no other tool needs. */
  readonly explainMethods: (asked: string) => Promise<string>;
};

/** A tool that reads a list of the exchange and hands it over. */
interface ReadTool {
  readonly what: () => Plain;
  /** The calls to choose from: the first one whose `needs` is given is used. */
  readonly calls: readonly { readonly method: string; readonly needs?: string; readonly params: readonly string[] }[];
  /** The parameters that apply if the model does not give them. */
  readonly defaults?: Input;
  /** Whether the data is public: nothing of it is hidden in presentation mode. */
  readonly isPublic?: true;
}

const READS: Readonly<Record<string, ReadTool>> = {
  tradingRpc_get_open_orders: {
    what: () => l10n.t("Open orders"),
    calls: [
      {
        method: OPEN_ORDERS_OF_INSTRUMENT_METHOD,
        needs: "instrument_name",
        params: ["instrument_name", "type"],
      },
      { method: OPEN_ORDERS_METHOD, params: ["kind", "type"] },
    ],
  },
  tradingRpc_get_positions: {
    what: () => l10n.t("Positions"),
    calls: [
      { method: POSITION_METHOD, needs: "instrument_name", params: ["instrument_name"] },
      { method: POSITIONS_METHOD, params: ["currency", "kind"] },
    ],
    defaults: { currency: "any" },
  },
  // Without `extended`: with it, the response also has the user's name and email address.
  tradingRpc_get_account_summaries: {
    what: () => l10n.t("Account summaries"),
    calls: [
      { method: SUMMARY_METHOD, needs: "currency", params: ["currency"] },
      { method: SUMMARIES_METHOD, params: [] },
    ],
  },
  tradingRpc_get_block_trades: {
    what: () => l10n.t("Block trades"),
    calls: [
      { method: BLOCK_TRADE_METHOD, needs: "id", params: ["id"] },
      { method: BLOCK_TRADES_METHOD, params: ["currency", "count", "start_id"] },
    ],
    defaults: { count: 20 },
  },
  tradingRpc_get_mmp_config: {
    what: () => l10n.t("MMP limits"),
    calls: [{ method: MMP_CONFIG_METHOD, params: ["index_name", "mmp_group", "block_rfq"] }],
  },
  tradingRpc_list_api_keys: {
    what: () => l10n.t("API keys without client secrets"),
    calls: [{ method: KEYS_METHOD, params: [] }],
  },
  tradingRpc_get_last_trades: {
    what: () => l10n.t("Last public trades"),
    calls: [
      {
        method: TRADES_METHOD,
        params: ["instrument_name", "count", "start_timestamp", "end_timestamp", "sorting"],
      },
    ],
    defaults: { count: 20 },
    isPublic: true,
  },
};

const EXPLAIN_ERROR = "tradingRpc_explain_error";
const EXPLAIN_METHOD = "tradingRpc_explain_method";
const CANCEL_ORDER = "tradingRpc_cancel_order";
const CANCEL_QUOTES = "tradingRpc_cancel_all_block_rfq_quotes";

/** The names of all tools, as they are in the manifest. */
export const CHAT_TOOL_NAMES: readonly string[] = [
  ...Object.keys(READS),
  EXPLAIN_ERROR,
  EXPLAIN_METHOD,
  CANCEL_ORDER,
  CANCEL_QUOTES,
];

export function createChatTools(ui: ChatUi): ChatTools {
  const patience = createPatience(ui.clock);
  return {
    prepare: (name, given) => prepare(ui, name, given),
    async invoke(name, given, token) {
      const input = inputOf(given);
      if (name === EXPLAIN_ERROR || name === EXPLAIN_METHOD) {
        const problem = inputProblem(name, given, false);
        if (problem !== undefined) return problem;
      }
      if (name === EXPLAIN_ERROR) return chatErrorText(Number(input["code"]), textOf(input["message"]));
      if (name === EXPLAIN_METHOD) return await ui.explainMethods(textOf(input["method"]));
      if (!CHAT_TOOL_NAMES.includes(name)) throw new CallError({ kind: "bug", detail: `no tool ${plain.name(name)}` });
      const read = READS[name];
      const live = connectionFor(ui, name, given);
      if (typeof live === "string") return ui.screen.hide(live);
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      if (token.isCancellationRequested) abort.abort();
      try {
        return read === undefined
          ? await change(ui, { name, live, input, patience }, abort.signal)
          : await readFor(ui, { read, live, input }, abort.signal);
      } finally {
        listening.dispose();
      }
    },
  };
}

/**
 * Returns a sentence if nothing of an account is handed out, or changed. The `when` clauses of VS Code only hide the
 * tools.
 */
function refusal({ settings, isTrusted }: ChatUi, isChange: boolean): Plain | undefined {
  const access = settings.chatAccess();
  if (access === "off")
    return l10n.t(
      "Tools for language models are turned off. The user can turn them on with the setting tradingRpc.chat.access. Nothing was sent.",
    );
  if (isChange && access !== "readAndCancel")
    return l10n.t(
      "Cancelling from chat is turned off. The user can turn it on with the setting tradingRpc.chat.access. Nothing was sent.",
    );
  return isTrusted()
    ? undefined
    : l10n.t(
        "In Restricted Mode, account data isn't shared with language models. The user must trust the folder first. Nothing was sent.",
      );
}

/** Returns the connection that is meant, or the reason why there is none. A change has to name its connection. */
function find({ connections, liveConnections }: ChatUi, asked: unknown, isNamed: boolean): LiveConnection | Plain {
  const open = liveConnections.all.filter(({ state }) => state.status === "ready");
  const [first] = open;
  if (first === undefined)
    return l10n.t(
      "No connection is open, and tools can't open one. The user can run Trading RPC: Connect… to open one. Nothing was sent.",
    );
  const names = plain.join(
    open.map(({ place }) => place),
    ", ",
  );
  const name = textOf(asked).trim().toLowerCase();
  if (name === "") {
    const active = open.find(({ record }) => record.id === connections.active?.record.id);
    return active === undefined || isNamed
      ? l10n.t("Set the parameter connection to one of the open connections: {0}. Nothing was sent.", names)
      : active;
  }
  const found = open.filter(({ place, name: own, record }) =>
    [place, own, record.name].some((each) => each.toLowerCase() === name),
  );
  const [only] = found;
  if (only === undefined)
    return l10n.t(
      "No open connection is named {0}. Open connections: {1}. Nothing was sent.",
      plain.name(textOf(asked)),
      names,
    );
  return found.length === 1
    ? only
    : l10n.t(
        "Several open connections are named {0}. Include the environment: {1}. Nothing was sent.",
        plain.name(textOf(asked)),
        names,
      );
}

/** Returns the connection that a tool is to use, or the reason why it does nothing, as a sentence. */
function connectionFor(ui: ChatUi, name: string, given: unknown): LiveConnection | Plain {
  const isChange = READS[name] === undefined;
  return (
    refusal(ui, isChange) ?? inputProblem(name, given, !isChange) ?? find(ui, inputOf(given)["connection"], isChange)
  );
}

function prepare(ui: ChatUi, name: string, given: unknown): PreparedTool {
  const input = inputOf(given);
  if (name === EXPLAIN_ERROR)
    return { invocationMessage: l10n.t("Explaining error {0}", plain.name(textOf(input["code"]))) };
  if (name === EXPLAIN_METHOD)
    return { invocationMessage: l10n.t("Explaining methods: {0}", plain.name(textOf(input["method"]))) };
  const read = READS[name];
  const live = connectionFor(ui, name, given);
  if (typeof live === "string") return { invocationMessage: ui.screen.hide(live) };
  if (read !== undefined) {
    const title = plain.text(ui.screen.hide(titleOf(read, live)));
    return {
      invocationMessage: l10n.t("Reading: {0}", title),
      confirmationMessages: {
        title: l10n.t("Send this to the language model? {0}", title),
        message: l10n.t(
          "The exchange's response becomes part of the conversation and is sent to your model provider. It never includes secrets.",
        ),
      },
    };
  }
  const wish = wishFor(ui, name, live, input);
  const told =
    typeof wish === "string"
      ? wish
      : l10n.t("{0} on {1}", plain.text(wish.words.sentence ?? wish.words.target), live.place);
  const sentence = plain.text(ui.screen.hide(told));
  if (typeof wish === "string") return { invocationMessage: sentence };
  return {
    invocationMessage: l10n.t("Requesting confirmation: {0}", sentence),
    confirmationMessages: {
      title: l10n.t("Allow the language model to request this? {0}", sentence),
      message: l10n.t("Whatever you choose here, a separate confirmation dialog opens before anything is sent."),
    },
  };
}

function titleOf({ what }: ReadTool, { place }: LiveConnection): Plain {
  return l10n.t("{0} on {1}", what(), place);
}

async function readFor(
  { screen, times, settings, log }: ChatUi,
  { read, live, input }: { readonly read: ReadTool; readonly live: LiveConnection; readonly input: Input },
  signal: AbortSignal,
): Promise<string> {
  const given = { ...read.defaults, ...input };
  const call = read.calls.find(({ needs }) => needs === undefined || given[needs] !== undefined);
  if (call === undefined) throw new CallError({ kind: "bug", detail: "a tool without a call" });
  const params = Object.fromEntries(
    call.params.flatMap((each) => (given[each] === undefined ? [] : [[each, given[each]]])),
  );
  const title = plain.text(screen.hide(titleOf(read, live)));
  const intent: Intent = {
    method: call.method,
    paramsText: JSON.stringify(params),
    words: { action: read.what(), target: live.place, sentence: read.what(), detail: [], keep: "" },
    origin: "chat",
  };
  log.info(plain`A language model reads ${plain.text(call.method)} on ${live.place}`);
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs, signal });
  if (outcome.kind === "challenge") return chatCodeText(title, plain.text(call.method));
  if (outcome.kind !== "confirmed")
    return [
      l10n.t("{0}: no result.", title),
      fenced(screen.hide(outcomeText(outcome, { intent, place: live.place, times }))),
    ].join("\n");
  const { receivedAtMs } = outcome.response.timing;
  return chatResponseText({
    title,
    receivedAtMs,
    bodyText: outcome.response.bodyText,
    times,
    hide: (text) => (read.isPublic === true ? text : screen.hide(text)),
  });
}

interface Change {
  readonly name: string;
  readonly live: LiveConnection;
  readonly input: Input;
  readonly patience: Patience;
}

async function change(ui: ChatUi, { name, live, input, patience }: Change, stop: AbortSignal): Promise<string> {
  const { notices, settings, screen, times, clock } = ui;
  if (patience.isOver())
    return l10n.t(
      "The user declined several requests from a language model within a few minutes. For now, new requests are refused. Nothing was sent.",
    );
  // The confirmation says how many there are: what was not read yet is read first.
  const quotes = live.storeOf(createQuotesStore);
  if (name === CANCEL_QUOTES && !isCountable(quotes.snapshot, clock)) await quotes.refresh();
  const intent = wishFor(ui, name, live, input);
  if (typeof intent === "string") return screen.hide(intent);
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs, stop });
  if (isDeclined(outcome)) patience.lose();
  notices.showOutcome(live, intent, outcome);
  return screen.hide(chatOutcomeText(outcome, { intent, place: live.place, times }));
}

/** Returns the intent to confirm, or a sentence about why there is none. */
function wishFor({ clock }: ChatUi, name: string, live: LiveConnection, input: Input): Intent | Plain {
  if (name === CANCEL_QUOTES) {
    const { snapshot } = live.storeOf(createQuotesStore);
    const rfqId = input["block_rfq_id"];
    const scope: QuotesScope = rfqId === undefined ? { kind: "all" } : { kind: "rfq", rfqId: Number(rfqId) };
    const quotes = [...snapshot.items.values()].filter(
      ({ block_rfq_id: id }) => scope.kind === "all" || id === scope.rfqId,
    );
    const isCounted = isCountable(snapshot, clock);
    if (isCounted && quotes.length === 0)
      return l10n.t("{0}: no open Block RFQ quotes to cancel. Nothing was sent.", live.place);
    return cancelAllQuotes(scope, { quotes, isCounted }, "chat");
  }
  const id = textOf(input["order_id"]);
  const order = openOrder(live.orders.snapshot, id);
  if (order === undefined)
    return l10n.t(
      "{0}: no open order has the ID {1}. Read the open orders again. Nothing was sent.",
      live.place,
      plain.name(id),
    );
  // A model that mixes ids up mixes up what belongs to them too.
  if (order.instrument_name !== input["instrument_name"])
    return l10n.t(
      "{0}: the order {1} is {2}, which doesn't match the named instrument. Nothing was sent.",
      live.place,
      plain.name(id),
      describeOrder(order),
    );
  return cancelOrder(order, {
    origin: "chat",
    nowMs: clock.now(),
    ...orderLookups(live.orders),
  });
}

/** Counts how often in a row the user declines, until nothing more is asked for a while. */
interface Patience {
  lose(): void;
  isOver(): boolean;
}

const MAX_REFUSALS = 3;
const PATIENCE_MS = 10 * 60_000;

/** Makes the count. A model that was manipulated could otherwise ask until Enter is pressed once. */
function createPatience(clock: Clock): Patience {
  let refusals: readonly number[] = [];
  const recent = (): readonly number[] => refusals.filter((atMs) => clock.monotonicMs() - atMs < PATIENCE_MS);
  return {
    lose() {
      refusals = [...recent(), clock.monotonicMs()];
    },
    isOver: () => recent().length >= MAX_REFUSALS,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
