import { formatDecimal, parseDecimal } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { effectOf, type Effect, type MethodName, type ReadMethod } from "../../catalogue/index.ts";
import { notOfferedText } from "../../catalogue/offerText.ts";
import type { SessionState } from "../../session/session.ts";
import { fieldsOf, pick, type Fields, type Members } from "../intent/fields.ts";
import type { Intent } from "../intent/intent.ts";
import { labelNote, sidesNote } from "./typedText.ts";

/*
 * What the program knows of each change beyond the facts of the catalogue. A method that the catalogue describes and
 * that does more than read has one entry here; without it, or without one of its columns, nothing compiles. Methods
 * that the catalogue knows by name only have none: of them nothing is assumed.
 */

/** A method that does more than read, and whose outcome is judged and proved, or that the session alone sends. */
type ChangeMethod =
  | Exclude<MethodName, ReadMethod>
  | `public/${"fork_token" | "disable_heartbeat"}`
  | `private/${"logout" | "unsubscribe_all"}`
  | `private/${"buy" | "sell" | "close_position" | "edit_by_label" | "add_block_rfq_quote" | "edit_block_rfq_quote"}`;

/**
 * The subject of a change: one order, quote or key that it names, or all orders or quotes that fit it, and so on.
 * `newQuote`: a quote with the terms that it gives, placed or edited.
 */
type About =
  | "order"
  | "orders"
  | "newOrder"
  | "newQuote"
  | "quote"
  | "quotes"
  | "key"
  | "newKey"
  | "blockTrade"
  | "signature"
  | "mmpGroup"
  | "disconnect"
  | "account"
  | "session";

/**
 * The evidence that makes the response to a change believable: the named order or quote in its new state, the order
 * with its new terms, the fields as requested, no failed part, the placed order, or just a success.
 */
export type JudgedBy = "order" | "edit" | "quote" | "fields" | "parts" | "placedOrder" | "success";

/**
 * The object that is read to find the outcome of a change. It is the order or quote that the change names, the orders
 * or quotes that it covers, the order that it placed, the key, one that was made or removed, an executed block trade,
 * or a group's limits or freeze. `nothing`: no request reads it, and a lost response leaves the outcome unknown.
 * Reliability §2.4.
 */
export type ToldBy =
  | "order"
  | "editedOrder"
  | "coveredOrders"
  | "placedOrder"
  | "key"
  | "newKey"
  | "removedKey"
  | "blockTrade"
  | "limits"
  | "freeze"
  | "coveredQuotes"
  | "quote"
  | "nothing";

interface SentChange {
  readonly about: Exclude<About, "session">;
  readonly toldBy: ToldBy;
  /**
   * Whether two requests about the same object are one change, whatever else they say. If not, only equal texts are.
   */
  readonly isOnePerObject?: true;
  /**
   * The commands of the manifest, without the prefix, that make no sense where the scope does not allow this change.
   */
  readonly commands?: readonly string[];
  /** Returns what the confirmation of a request says beside its parameters. */
  readonly note?: (params: Members) => Plain | undefined;
  /** Returns what a lost response means, as sentences, where no request shows the outcome. */
  readonly whyNotTold?: () => string;
  /** Returns the reason, as a sentence, why a session can't send it; undefined where it can. */
  readonly obstacle?: (state: SessionState) => Plain | undefined;
}

type Change =
  | (SentChange & { readonly judgedBy: Exclude<JudgedBy, "fields"> })
  /** A change of fields. `asked` returns the values that it gives to fields of its object. */
  | (SentChange & { readonly judgedBy: "fields"; readonly asked: (params: Members) => Members })
  /**
   * A request that the session sends itself; the gate does not, and says why. `channels`: whether it begins or ends
   * following them.
   */
  | {
      readonly about: "session";
      readonly whyNotSent: (method: string) => Plain;
      readonly channels?: "follow" | "end";
    };

const manyOrders = { about: "orders", judgedBy: "parts", toldBy: "coveredOrders" } as const;
const keyFields = { about: "key", judgedBy: "fields", toldBy: "key" } as const;
const placement = { about: "newOrder", judgedBy: "placedOrder", toldBy: "placedOrder", note: labelNote } as const;
// Which of the quotes it would have become no request tells for sure: a label may be used again.
const quoteTerms = {
  about: "newQuote",
  judgedBy: "fields",
  toldBy: "nothing",
  asked: (params: Members) => pick(params, ["amount", "price", "direction", "label", "execution_instruction"]),
} as const;
const disconnect = { about: "disconnect", judgedBy: "success", toldBy: "nothing" } as const;

const ofSession = (whyNotSent: () => Plain): Change => ({ about: "session", whyNotSent });

const CHANGES: Readonly<Record<ChangeMethod, Change>> = {
  "private/cancel": {
    about: "order",
    judgedBy: "order",
    toldBy: "order",
    isOnePerObject: true,
    commands: ["order.cancel", "order.cancelSelected", "order.cancelRow", "order.cancelGroup"],
  },
  "private/edit": { about: "order", judgedBy: "edit", toldBy: "editedOrder", commands: ["order.edit"] },
  // The label may be that of another order by then: no read tells them apart.
  "private/edit_by_label": { about: "order", judgedBy: "edit", toldBy: "nothing" },
  "private/cancel_all": { ...manyOrders, commands: ["order.cancelAll", "order.cancelEverything"] },
  "private/cancel_all_by_instrument": manyOrders,
  "private/cancel_all_by_currency": manyOrders,
  "private/cancel_all_by_currency_pair": manyOrders,
  "private/cancel_all_by_kind_or_type": manyOrders,
  "private/cancel_by_label": manyOrders,

  "private/buy": {
    ...placement,
    commands: ["order.place", "position.close", "position.reduce", "position.protect", "position.flatten"],
  },
  "private/sell": placement,
  // Its order has no label that tells it from others.
  "private/close_position": { about: "newOrder", judgedBy: "placedOrder", toldBy: "nothing" },

  "private/add_block_rfq_quote": quoteTerms,
  "private/edit_block_rfq_quote": quoteTerms,
  "private/cancel_block_rfq_quote": {
    about: "quote",
    judgedBy: "quote",
    toldBy: "quote",
    commands: ["quote.cancel", "quote.cancelSelected", "quote.cancelRow"],
  },
  "private/cancel_all_block_rfq_quotes": {
    about: "quotes",
    judgedBy: "parts",
    toldBy: "coveredQuotes",
    commands: ["quote.cancelAll", "quote.cancelAllOfRfq"],
  },

  // What is left out of max_scope is none: https://docs.deribit.com/articles/access-scope
  "private/edit_api_key": {
    ...keyFields,
    asked: (params) => ({ max_scope: "", ...pick(params, KEY_FIELDS) }),
    commands: ["apiKey.edit"],
  },
  "private/change_scope_in_api_key": {
    ...keyFields,
    asked: (params) => ({ max_scope: "", ...pick(params, ["max_scope"]) }),
    commands: ["apiKey.changeScope"],
  },
  "private/enable_api_key": { ...keyFields, asked: () => ({ enabled: true }), commands: ["apiKey.enable"] },
  "private/disable_api_key": { ...keyFields, asked: () => ({ enabled: false }), commands: ["apiKey.disable"] },

  "private/create_api_key": {
    about: "newKey",
    judgedBy: "fields",
    toldBy: "newKey",
    asked: (params) => ({ max_scope: "", ...pick(params, ["max_scope", "name", "enabled_features"]) }),
    commands: ["apiKey.create", "apiKey.createKeyPair"],
  },
  "private/reset_api_key": {
    ...keyFields,
    // Which secret a key has is told by nothing but the response.
    toldBy: "nothing",
    asked: () => ({}),
    commands: ["apiKey.reset"],
    note: () =>
      l10n.t("The current client secret stops working. Programs and connections that use it can't sign in anymore."),
    whyNotTold: () =>
      l10n.t(
        "The old client secret may no longer work, and the new one can't be recovered. Reset the API key again to get a working secret.",
      ),
  },
  "private/remove_api_key": { about: "key", judgedBy: "success", toldBy: "removedKey", commands: ["apiKey.delete"] },

  "private/verify_block_trade": {
    about: "blockTrade",
    judgedBy: "success",
    toldBy: "nothing",
    note: () => l10n.t("The other party can execute the block trade with the signature for 5 minutes."),
    whyNotTold: () =>
      l10n.t(
        "The signature was lost with the response, and nothing was traded. Send the request again to get another.",
      ),
  },
  "private/execute_block_trade": { about: "blockTrade", judgedBy: "success", toldBy: "blockTrade" },
  "private/invalidate_block_trade_signature": { about: "signature", judgedBy: "success", toldBy: "nothing" },

  "private/set_mmp_config": {
    about: "mmpGroup",
    judgedBy: "fields",
    toldBy: "limits",
    // An interval of 0 removes the limits: nothing is left to compare. Else a limit that is left out is wanted gone.
    asked: (params) =>
      params["interval"] === 0
        ? { interval: 0 }
        : { ...pick(params, MMP_FIELDS), ...NO_LIMITS, ...pick(params, Object.keys(NO_LIMITS)) },
    commands: ["mmp.setLimits"],
  },
  "private/reset_mmp": { about: "mmpGroup", judgedBy: "success", toldBy: "freeze", commands: ["mmp.reset"] },

  "private/enable_cancel_on_disconnect": {
    ...disconnect,
    note: ({ scope }) =>
      scope === "account"
        ? l10n.t(
            "Every connection opened after this starts with cancel-on-disconnect (COD). When one ends, the exchange cancels all orders placed over it.",
          )
        : l10n.t(
            "When this connection ends, the exchange cancels all orders placed over it. This includes Disconnect, reloading or closing this window, and network failures.",
          ),
  },
  "private/disable_cancel_on_disconnect": {
    ...disconnect,
    note: ({ scope }) =>
      scope === "account"
        ? l10n.t(
            "Every connection opened after this starts without cancel-on-disconnect (COD). When one is lost, its orders are not cancelled.",
          )
        : l10n.t("If this connection is lost, the orders placed over it are not cancelled."),
  },

  // The connection signs in again with its key, and nothing shows the outcome for the token of the other account.
  "public/exchange_token": {
    about: "account",
    judgedBy: "success",
    toldBy: "nothing",
    whyNotTold: () =>
      l10n.t(
        "No request can check this. The connection signs in again with its API key and uses that key's account. A token of the other account may remain valid until it expires.",
      ),
    obstacle: (state) => {
      if (state.status !== "ready") return undefined;
      if (state.identity.isGateway === true) return notOfferedText("public/exchange_token");
      return state.identity.authentication === "key"
        ? undefined
        : l10n.t("This connection isn't signed in with an API key, so it has no refresh token for switching accounts.");
    },
  },

  "public/auth": ofSession(() =>
    l10n.t(
      "public/auth can't be sent because it would replace the sign-in of the shared connection. The connection signs in automatically.",
    ),
  ),
  "public/set_heartbeat": ofSession(() =>
    l10n.t(
      "public/set_heartbeat can't be sent because Trading RPC sets its own heartbeat to detect a lost connection. Remove the request.",
    ),
  ),
  "public/unsubscribe_all": ofSession(() =>
    l10n.t(
      "public/unsubscribe_all can't be sent because it would end the subscriptions that the views need. Remove the request.",
    ),
  ),
  "public/subscribe": { about: "session", whyNotSent: noChannels, channels: "follow" },
  "private/subscribe": { about: "session", whyNotSent: noChannels, channels: "follow" },
  "public/unsubscribe": { about: "session", whyNotSent: noChannels, channels: "end" },
  "private/unsubscribe": { about: "session", whyNotSent: noChannels, channels: "end" },
  "public/fork_token": ofSession(() =>
    l10n.t(
      "public/fork_token can't be sent because Trading RPC doesn't manage the second set of tokens it returns. Remove the request.",
    ),
  ),
  "private/logout": ofSession(() =>
    l10n.t("private/logout can't be sent because it would end the shared connection. Use Disconnect."),
  ),
  "public/disable_heartbeat": ofSession(() =>
    l10n.t(
      "public/disable_heartbeat can't be sent because Trading RPC needs heartbeats to detect a lost connection. Remove the request.",
    ),
  ),
  "private/unsubscribe_all": ofSession(() =>
    l10n.t(
      "private/unsubscribe_all can't be sent because it would end the subscriptions that the views need. Remove the request.",
    ),
  ),
};

const KEY_FIELDS = ["max_scope", "name", "enabled", "enabled_features", "ip_whitelist"];
const NO_LIMITS = { quantity_limit: "", delta_limit: "", vega_limit: "", trade_count_limit: "" };
const MMP_FIELDS = ["interval", "frozen_time", "max_quote_quantity"];

function noChannels(method: string): Plain {
  return l10n.t(
    "{0} can't be sent here. Request files subscribe in their own editor tab, separately from the views.",
    plain.text(method),
  );
}

function changeOf(method: string): Change | undefined {
  return Object.hasOwn(CHANGES, method) ? CHANGES[method as ChangeMethod] : undefined;
}

function sentChangeOf(method: string): Exclude<Change, { about: "session" }> | undefined {
  const change = changeOf(method);
  return change?.about === "session" ? undefined : change;
}

/** Returns what a change is about; undefined for a read, and for a method that the catalogue does not describe. */
export function aboutOf(method: string): About | undefined {
  return changeOf(method)?.about;
}

/** Whether a method cancels an order or a quote that it names. */
export function isCancelOfOne(method: string): boolean {
  const about = aboutOf(method);
  return effectOf(method) === "reduce" && (about === "order" || about === "quote");
}

/** Returns the evidence that a response needs. For a method that is not described, its effect decides. */
export function judgedBy(method: string, effect: Effect): JudgedBy {
  return sentChangeOf(method)?.judgedBy ?? (effect === "mass" ? "parts" : "success");
}

/** Returns what is read to find an outcome: nothing for a method not described, or a cancel of unlisted orders. */
export function toldBy({ method, covers = [] }: Pick<Intent, "method" | "covers">): ToldBy {
  const told = sentChangeOf(method)?.toldBy ?? "nothing";
  return told === "coveredOrders" && covers.length === 0 ? "nothing" : told;
}

/** Returns what a lost response to a request means, as sentences; undefined where there is nothing to add. */
export function whyNotTold(method: string): string | undefined {
  return sentChangeOf(method)?.whyNotTold?.();
}

/** Returns the reason, as a sentence, why a session can't send a change; undefined where it can. */
export function obstacleOf(method: string, state: SessionState): Plain | undefined {
  return sentChangeOf(method)?.obstacle?.(state);
}

/** Returns the requested values of the fields that a change sets; undefined for methods that change no fields. */
export function askedFields(method: string, params: Members): Fields | undefined {
  const change = sentChangeOf(method);
  return change?.judgedBy === "fields" ? fieldsOf(change.asked(params)) : undefined;
}

/**
 * Returns the object that a change names, as a text that is the same for all changes of it; undefined where it names
 * none. The names of the parameters decide for a method that the catalogue does not describe.
 */
export function objectKey(method: string, params: Members): string | undefined {
  return OBJECT_KEYS[aboutOf(method) ?? aboutByParams(method, params)](params, method);
}

function quoteKey({ block_rfq_quote_id: id }: Members): string | undefined {
  return typeof id === "number" || typeof id === "string" ? `quote ${String(id)}` : undefined;
}

const namesNone = (): undefined => undefined;

const OBJECT_KEYS: Readonly<Record<About, (params: Members, method: string) => string | undefined>> = {
  order: ({ order_id: id }) => (typeof id === "string" ? `order ${id}` : undefined),
  orders: namesNone,
  newOrder: (params, method) => `${method} ${orderKey(params)}`,
  newQuote: quoteKey,
  quote: quoteKey,
  quotes: namesNone,
  key: ({ id }) => (typeof id === "number" || typeof id === "string" ? `key ${String(id)}` : undefined),
  newKey: ({ name }) => `newKey ${JSON.stringify(name ?? "")}`,
  blockTrade: ({ timestamp, nonce }) => `blockTrade ${JSON.stringify([timestamp, nonce])}`,
  signature: namesNone,
  mmpGroup: ({ index_name: index, mmp_group: group = "", block_rfq: isRfq = false }) =>
    `mmp ${JSON.stringify([index, group, isRfq])}`,
  account: () => "subject",
  disconnect: namesNone,
  session: namesNone,
};

/**
 * Returns a text that is the same for two orders of one instrument, size, type, and price: whoever sends the second
 * may be repeating the first. Their labels, deadlines, and flags may be different.
 */
function orderKey(params: Members): string {
  const { type = "limit" } = params;
  const numbers = ORDER_NUMBERS.map((name) => {
    const value = params[name];
    const number = parseDecimal(String(value));
    return number === undefined ? value : formatDecimal(number);
  });
  return JSON.stringify([params["instrument_name"], type, params["trigger"], ...numbers]);
}

const ORDER_NUMBERS = ["amount", "contracts", "price", "trigger_price", "trigger_offset"] as const;

function aboutByParams(method: string, params: Members): About {
  if (typeof params["order_id"] === "string") return "order";
  return effectOf(method) === "key" ? "key" : "quote";
}

/** Returns a text that is the same for two requests that are one change, e.g. a double click. */
export function writeKey(method: string, paramsText: string, params: Members): string {
  const object = sentChangeOf(method)?.isOnePerObject === true ? objectKey(method, params) : undefined;
  return `${method} ${object ?? paramsText}`;
}

/** Returns what the confirmation of a request says beside its parameters; undefined where there is nothing to add. */
export function changeNote(method: string, params: Members): Plain | undefined {
  return method === "private/mass_quote" ? sidesNote(params) : sentChangeOf(method)?.note?.(params);
}

/** The method of a request that follows channels, private ones too. */
export const FOLLOW_METHOD = "public/subscribe";

/** Returns whether a method begins or ends following channels; undefined for all others. */
export function channelMethod(method: string): "follow" | "end" | undefined {
  const change = changeOf(method);
  return change?.about === "session" ? change.channels : undefined;
}

/**
 * Returns the reason, as a sentence, why a request that would act on the one shared session is not sent; undefined for
 * others.
 */
export function whyNotSent(method: string, effect = effectOf(method)): Plain | undefined {
  const change = changeOf(method);
  if (change?.about === "session") return change.whyNotSent(method);
  if (change !== undefined || effect !== "session") return undefined;
  return l10n.t(
    "{0} can't be sent because it would affect the connection shared by all views and request files. Remove the request.",
    plain.name(method),
  );
}

/** Returns the commands that make no sense without a change, each with the method that it calls. */
export function commandsOfChanges(): readonly (readonly [command: string, method: string])[] {
  return Object.keys(CHANGES).flatMap((method) =>
    (sentChangeOf(method)?.commands ?? []).map((command) => [command, method] as const),
  );
}
