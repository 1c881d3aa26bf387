import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { methodFacts } from "../catalogue/index.ts";
import { HIDDEN } from "../rpc/maskSecrets.ts";
import { SESSION_REFRESH_TOKEN } from "../catalogue/values.ts";
import type { Environment } from "../state/records.ts";
import type { Fields } from "./changes/fields.ts";
import type { CoveredOrder } from "./intent.ts";
import { isFailureKind, isSettling, verdictKey, type Verdict } from "./outcome.ts";

/** Where intents are written before they are sent. */
export interface Journal {
  /** Resolves when the record is as safe as the journal makes it; rejects when it could not be kept. */
  append(record: JournalRecord): Promise<void>;
}

/** The form of the records. A later one must not be dropped by a program that does not know it. */
export const JOURNAL_SCHEMA = 1;

/** A step of an intent, as it is kept. Carries no secret. */
export interface JournalRecord {
  readonly schema: typeof JOURNAL_SCHEMA;
  readonly intentId: string;
  /** Ms since the Unix epoch. */
  readonly atMs: number;
  readonly connectionId: string;
  /** `setAside`: a person has looked after it; nobody need be reminded any more. */
  readonly event: "intent" | "sent" | "outcome" | "verdict" | "setAside";
  readonly method: string;
  /** Parameters with secrets masked. */
  readonly paramsText: string;
  /** Kind of outcome or verdict, where the event is one. */
  readonly result: string | undefined;
  /** With an intent: what a later run has to know of it. */
  readonly note?: IntentNote;
  /** With a send: the id on the wire; ids are counted anew by each run. */
  readonly wireId?: number;
  /** With an outcome: why there was no good response. */
  readonly failure?: Failure;
  /** With an outcome: the state that the exchange reported in the place of the wanted one. */
  readonly state?: string;
  /** With an outcome: how many orders the exchange says that it cancelled. */
  readonly count?: number;
  /** With a verdict: what reading found out. */
  readonly verdict?: Verdict;
}

/** What was asked for, by whom and where, as it was when the person said yes. */
export interface IntentNote {
  readonly askedAtMs: number;
  readonly connectionName: string;
  readonly environment: Environment;
  /** Host and port of the exchange; undefined where it has no fixed one. */
  readonly server?: string;
  /** Who was signed in, as `identityKey` has it; without a secret. */
  readonly identity: string;
  /** Public identifier of the key; undefined without one. */
  readonly clientId?: string;
  /** Number of the account, where the server told it. */
  readonly userId?: number;
  readonly action: string;
  readonly target: string;
  readonly sentence?: string;
  /** The order that it names. */
  readonly targetId?: string;
  /** The orders that it covers without naming them. */
  readonly covers?: readonly CoveredOrder[];
  /** What the fields that it changes were. */
  readonly before?: Fields;
}

const EVENTS: readonly JournalRecord["event"][] = ["intent", "sent", "outcome", "verdict", "setAside"];

/** Whether a parsed line of a journal is a record that can be understood. */
export function isJournalRecord(value: unknown): value is JournalRecord {
  if (!isObject(value) || value["schema"] !== JOURNAL_SCHEMA) return false;
  const areTexts = ["intentId", "connectionId", "method", "paramsText"].every(
    (name) => typeof value[name] === "string",
  );
  const isEvent = EVENTS.some((each) => each === value["event"]) && typeof value["atMs"] === "number";
  return areTexts && isEvent && isOptional(value["result"], "string") && hasFittingDetails(value);
}

/** Whether a parsed line was written by a later version, so that it has to be left as it is. */
export function isLaterRecord(value: unknown): boolean {
  return isObject(value) && typeof value["schema"] === "number" && value["schema"] > JOURNAL_SCHEMA;
}

function hasFittingDetails(record: Readonly<Record<string, unknown>>): boolean {
  const { event, note, failure, verdict } = record;
  if (event === "intent" && !isNote(note)) return false;
  if (event === "verdict" && !isVerdict(verdict)) return false;
  return failure === undefined || (isObject(failure) && isFailureKind(failure["kind"]));
}

const VERDICTS: Readonly<Record<Verdict["kind"], true>> = {
  applied: true,
  notApplied: true,
  other: true,
  gone: true,
  unverified: true,
  several: true,
};
const ENVIRONMENTS: Readonly<Record<Environment, true>> = { simulator: true, test: true, production: true };

function isVerdict(verdict: unknown): boolean {
  if (!isObject(verdict) || typeof verdict["atMs"] !== "number" || !Object.hasOwn(VERDICTS, String(verdict["kind"])))
    return false;
  const { orders } = verdict;
  return (
    verdict["kind"] !== "several" ||
    (Array.isArray(orders) &&
      orders.every(
        (each: unknown) => isObject(each) && typeof each["orderId"] === "string" && isVerdict(each["verdict"]),
      ))
  );
}

function isNote(note: unknown): boolean {
  if (!isObject(note) || typeof note["askedAtMs"] !== "number") return false;
  const areTexts =
    ["connectionName", "identity", "action", "target"].every((name) => typeof note[name] === "string") &&
    Object.hasOwn(ENVIRONMENTS, String(note["environment"]));
  const { covers } = note;
  const isCovered = (each: unknown): boolean =>
    isObject(each) && typeof each["orderId"] === "string" && typeof each["target"] === "string";
  const areOptionsTexts =
    ["targetId", "server"].every((name) => isOptional(note[name], "string")) && isFields(note["before"]);
  return areTexts && areOptionsTexts && (covers === undefined || (Array.isArray(covers) && covers.every(isCovered)));
}

function isFields(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((each) => typeof each === "string"));
}

function isOptional(value: unknown, type: "string" | "number"): boolean {
  return value === undefined || typeof value === type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** As many records are kept; those of intents whose outcome nobody has proved always are, but for repetitions. */
export const MAX_KEPT_RECORDS = 2000;

/**
 * The newest records, and all of intents whose outcome nobody wrote down. Of verdicts on an intent that say the same
 * the last one. Oldest first, as they come.
 */
export function worthKeeping(all: readonly JournalRecord[]): readonly JournalRecord[] {
  const records = withoutRepetitions(all);
  const settled = new Set(records.filter(isSettlingRecord).map(({ intentId }) => intentId));
  const oldest = records.length - MAX_KEPT_RECORDS;
  return records.filter((record, index) => index >= oldest || !settled.has(record.intentId));
}

/** The records without verdicts that a later one on the same intent repeats. */
function withoutRepetitions(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const keys = records.map(repetitionKey);
  const last = new Map(keys.map((key, index) => [key, index]));
  return records.filter((_record, index) => keys[index] === undefined || last.get(keys[index]) === index);
}

/** Whether a record makes an earlier one superfluous: it is a verdict on the same intent that says the same. */
export function isRepeatedBy(earlier: JournalRecord, later: JournalRecord): boolean {
  const key = repetitionKey(earlier);
  return key !== undefined && key === repetitionKey(later);
}

/** What verdicts that say the same of one intent have in common; undefined of other records. */
function repetitionKey({ intentId, verdict }: JournalRecord): string | undefined {
  return verdict === undefined ? undefined : `${intentId} ${verdictKey(verdict)}`;
}

function isSettlingRecord({ event, result, verdict }: JournalRecord): boolean {
  if (event === "setAside") return true;
  return event === "verdict"
    ? verdict !== undefined && isSettling(verdict)
    : event === "outcome" && result !== "unknown";
}

/** What went wrong with the disk, in words that fit into a sentence. */
export function diskTroubleText(thrown: unknown): string {
  const code = isObject(thrown) && typeof thrown["code"] === "string" ? thrown["code"] : "";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return l10n.t("no space is left on the disk");
    case "EACCES":
    case "EPERM":
      return l10n.t("this user may not write there");
    case "EROFS":
      return l10n.t("the disk is read-only");
    default:
      return code === "" ? l10n.t("the disk did not take it") : l10n.t("the disk reports {0}", plain.text(code));
  }
}

/** A journal that lives as long as the window. */
export interface MemoryJournal extends Journal {
  /** Oldest first; the oldest go when there are more than a few thousand. */
  readonly records: readonly JournalRecord[];
}

const MAX_RECORDS = 4000;

/** Makes a journal in memory. */
export function createMemoryJournal(): MemoryJournal {
  const records: JournalRecord[] = [];
  return {
    records,
    append: async (record) => {
      records.push(record);
      if (records.length > MAX_RECORDS) records.shift();
      await Promise.resolve();
    },
  };
}

/** Names that carry a secret in methods that nobody described. */
export const SECRET_NAME =
  /secret|token|password|passphrase|authorization_data|challenge|signature|private_?key|mnemonic|^(?:api_?key|credentials?|otp|tfa|pin|seed)$/i;

/**
 * Parameters as they may be kept: unchanged when nothing in them is secret, else written anew with the secrets masked;
 * a text that is no JSON is masked whole.
 */
export function maskParams(method: string, paramsText: string): string {
  return masked(method, paramsText).text;
}

/** The texts and numbers that `maskParams` hides, as far as they are too long to stand elsewhere by chance. */
export function secretTexts(method: string, paramsText: string): readonly string[] {
  return masked(method, paramsText).secrets;
}

/** A record from which everything is gone that the parameters of its request hold as a secret, wherever it stands. */
export function recordWithoutSecrets(record: JournalRecord): JournalRecord {
  const { text, secrets } = masked(record.method, record.paramsText);
  if (text === record.paramsText) return record;
  const { note } = record;
  // The words of a request file repeat the parameters, perhaps cut or escaped.
  const plainNote =
    note === undefined
      ? {}
      : { note: { ...noteWithoutSentence(note), action: l10n.t("Send {0}", record.method), target: record.method } };
  const scrub = (value: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), value);
  const line = JSON.stringify({ ...record, ...plainNote, paramsText: text });
  const clean = JSON.parse(line, (_name, value: unknown) =>
    typeof value === "string" ? scrub(value) : value,
  ) as JournalRecord;
  const { intentId, connectionId, method, result } = record;
  return { ...clean, intentId, connectionId, method, result };
}

function noteWithoutSentence(note: IntentNote): IntentNote {
  return Object.fromEntries(Object.entries(note).filter(([name]) => name !== "sentence")) as unknown as IntentNote;
}

/** Shorter texts stand everywhere by chance. */
const MIN_SECRET_LENGTH = 6;

function masked(method: string, paramsText: string): { readonly text: string; readonly secrets: readonly string[] } {
  const known = methodFacts(method)?.paramSecrets ?? [];
  const isSecret = (name: string): boolean => known.includes(name) || SECRET_NAME.test(name);
  const secrets: string[] = [];
  const names = new Set<string>();
  try {
    const text = JSON.stringify(JSON.parse(paramsText), (name, value: unknown) => {
      // The name of the session's token tells nothing of it.
      if (!isSecret(name) || value === SESSION_REFRESH_TOKEN) return value;
      names.add(name);
      secrets.push(...textsIn(value));
      return HIDDEN;
    });
    return { text: names.size > 0 ? text : paramsText, secrets };
  } catch {
    return { text: HIDDEN, secrets: [] };
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number")
    return String(value).length < MIN_SECRET_LENGTH ? [] : [String(value)];
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
