import type { ActivityEntry } from "../../src/actions/journal/activity.ts";
import type { Asked } from "./truth.ts";

/* Every sentence there is about an intent, and what has to be true of it. */

/** What the checks may ask. All of it is the exchange's own knowledge, or what went over the wires. */
export interface Witness {
  /** Whether a frame left that was not answered with a challenge: such a one has changed nothing. */
  wasSentInEarnest(entryId: string): boolean;
  wasApplied(entryId: string): boolean;
  /** Of the order or quote that is meant: `open`, or how it ended; undefined where there never was one. */
  stateOf(entry: ActivityEntry): string | undefined;
  /** Whether it was open not longer ago than a reading may be old. */
  wasOpenLately(entry: ActivityEntry): boolean;
  /**
   * Whether keys, limits and quotes were as asked at any moment since the request was sent, or lately; undefined where
   * nothing here can tell.
   */
  wasAsAsked(entry: ActivityEntry, since: "sent" | "lately"): boolean | undefined;
  /** Whether they were not so at any moment lately. */
  wasNotAsAsked(entry: ActivityEntry): boolean | undefined;
  askedOf(entry: ActivityEntry): Asked;
  /** The account that the frames of the connection act for. */
  readonly subject: number | undefined;
}

export interface Claim {
  readonly word: string;
  readonly entry: ActivityEntry;
  readonly witness: Witness;
}

/** What is wrong with a sentence; undefined for nothing. */
export type Check = (claim: Claim) => string | undefined;

const isCancelled: Check = ({ entry, witness }) =>
  witness.stateOf(entry) === "cancelled" ? undefined : `it is ${witness.stateOf(entry) ?? "unknown"}`;
const isState: Check = ({ entry, witness, word }) =>
  witness.stateOf(entry) === word ? undefined : `it is ${witness.stateOf(entry) ?? "unknown"}`;
const wasOpen: Check = (claim) => {
  const { entry, witness } = claim;
  if (entry.intent.method === "private/cancel_all_block_rfq_quotes") return wasNotAsAsked(claim);
  return witness.wasOpenLately(entry) ? undefined : `it is ${witness.stateOf(entry) ?? "unknown"} since long`;
};
const isNotOpen: Check = ({ entry, witness }) => (isOpenState(witness.stateOf(entry)) ? "it is open" : undefined);
const isNotListed: Check = ({ entry, witness }) =>
  entry.intent.method.includes("api_key") ? "no key was ever taken away" : isNotOpen({ word: "", entry, witness });
const isUnsent: Check = ({ witness, entry }) => (witness.wasSentInEarnest(entry.id) ? "a frame left" : undefined);
const isUndone: Check = ({ witness, entry }) => (witness.wasApplied(entry.id) ? "it was carried out" : undefined);
const isNothing: Check = () => undefined;
/** A state that a response reports is what the exchange says; what it cannot have been is "cancelled". */
const isReported: Check = ({ entry, witness, word }) =>
  word === "cancelled" && witness.stateOf(entry) !== "cancelled" ? "it is not" : undefined;
const tookEffect: Check = ({ entry, witness }) =>
  witness.wasAsAsked(entry, "sent") === false ? `it never was so: ${entry.intent.paramsText}` : undefined;
const tookEffectLately: Check = ({ entry, witness }) =>
  witness.wasAsAsked(entry, "lately") === false ? `it was not so: ${entry.intent.paramsText}` : undefined;
const wasNotAsAsked: Check = ({ entry, witness }) =>
  witness.wasNotAsAsked(entry) === false ? `it was as asked all the time: ${entry.intent.paramsText}` : undefined;
const isSwitched: Check = ({ entry, witness }) => {
  const wished = witness.askedOf(entry).params["subject_id"];
  return witness.subject === wished ? undefined : `the tokens are of account ${String(witness.subject)}`;
};

/** The first that fits counts. */
export const CLAIMS: readonly { readonly name: string; readonly pattern: RegExp; readonly check: Check }[] = [
  { name: "not sent", pattern: /^Not sent to /, check: isUnsent },
  { name: "switched", pattern: /^Switched to .+\.$/, check: isSwitched },
  { name: "switch unknown", pattern: /: the outcome is unknown\. /, check: isNothing },
  { name: "cancelled", pattern: /^(?:Filled [\d.]+(?: of [\d.]+)?, then cancelled|Cancelled) on /, check: isCancelled },
  {
    name: "none cancelled",
    pattern: /: the exchange reports that no (?:orders|quotes) were cancelled\./,
    check: isNothing,
  },
  {
    name: "counted",
    pattern: /: the exchange reports [\d\u202F]+ cancelled\.(?: Partially filled before the cancel: [\d\u202F]+\.)?$/,
    check: isNothing,
  },
  {
    name: "counted otherwise",
    pattern:
      /: the exchange reports [\d\u202F]+ cancelled, but [\d\u202F]+ were shown\. Checking the outcome of each…(?: Partially filled before the cancel: [\d\u202F]+\.)?$/,
    check: isNothing,
  },
  {
    name: "reported",
    pattern: /: the exchange reports (\S+)\.(?: [\d.\u202F]+(?: of [\d.\u202F]+)? filled\.)?$/,
    check: isReported,
  },
  {
    name: "answered otherwise",
    pattern: /: the exchange returned a different result than requested: /,
    check: isNothing,
  },
  { name: "refused", pattern: /: refused by the exchange\. /, check: isUndone },
  { name: "second factor", pattern: /: 2FA is required\. Nothing has been changed yet\./, check: isUndone },
  { name: "unknown", pattern: /: outcome unknown, checking… /, check: isNothing },
  { name: "still unknown", pattern: /: outcome still unknown at /, check: isNothing },
  {
    name: "verified cancelled",
    pattern: /: verified cancelled at .* \(the outcome was unknown, cause: /,
    check: isCancelled,
  },
  { name: "cancelled after all", pattern: /: cancelled after all, verified at /, check: isCancelled },
  { name: "took effect", pattern: /: verified at .* that it took effect/, check: tookEffectLately },
  { name: "no effect yet", pattern: /: no effect yet at /, check: wasNotAsAsked },
  { name: "not as requested", pattern: /: not as requested at /, check: wasNotAsAsked },
  { name: "not listed", pattern: /: no longer listed as of /, check: isNotListed },
  { name: "still open", pattern: /: still (.+) as of .*, not cancelled\./, check: wasOpen },
  {
    name: "verified other",
    pattern:
      /: verified as (\S+) at .*, but not because of this cancel\.(?: [\d.\u202F]+(?: of [\d.\u202F]+)? filled\.)?(?: A new order with another ID took its place and may already be filled\. Check Open Orders\.)?$/,
    check: isState,
  },
  { name: "gone", pattern: /: no longer open as of /, check: isNotOpen },
  { name: "checked", pattern: /: checked at /, check: tookEffectLately },
  // Their verdicts, order by order, are looked at themselves.
  { name: "several", pattern: /, checked at /, check: isNothing },
  { name: "several late", pattern: /, later update at /, check: isNothing },
  {
    name: "confirmed",
    pattern: /: confirmed by the exchange\.(?: [\d.\u202F]+(?: of [\d.\u202F]+)? filled\.)?$/,
    check: tookEffect,
  },
];

export function isOpenState(state: string | undefined): boolean {
  return state === "open" || state === "untriggered";
}
