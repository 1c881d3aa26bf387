import { isObject } from "../../base/json.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { createSecretValues, HIDDEN, mayNameSecret, MIN_SECRET_LENGTH } from "../../rpc/maskSecrets.ts";
import { isStandIn } from "../../rpc/oneTimeSecret.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { Environment } from "../../state/records.ts";
import type { Fields } from "../intent/fields.ts";
import type { CoveredOrder } from "../intent/intent.ts";
import { areSettling, isFailureKind, verdictKey, type Verdict } from "../judge/outcome.ts";

/** A journal of intents, written before they are sent. */
export interface Journal {
  /** Resolves when the record is as safe as the journal makes it; rejects when it could not be kept. */
  append(record: JournalRecord): Promise<void>;
}

/** The version of the records' format. A program must not drop records of a later version. */
export const JOURNAL_SCHEMA = 1;

/** A step of an intent, as it is kept. Carries no secret. */
export interface JournalRecord {
  readonly schema: typeof JOURNAL_SCHEMA;
  readonly intentId: string;
  /** The time, in ms since the Unix epoch. */
  readonly atMs: number;
  readonly connectionId: string;
  /** The step. `setAside`: the user has dealt with it, so that no reminder is due any more. */
  readonly event: "intent" | "sent" | "outcome" | "verdict" | "setAside";
  readonly method: string;
  /** The parameters, with secrets masked. */
  readonly paramsText: string;
  /** The kind of outcome or verdict, where the event is one of these. */
  readonly result: string | undefined;
  /** The facts about an intent that a later run needs. */
  readonly note?: IntentNote;
  /** The id on the wire of a sent request; each run counts ids from the start. */
  readonly wireId?: number;
  /** The reason why an outcome had no good response. */
  readonly failure?: Failure;
  /** The state that the exchange reported, in an outcome, instead of the wanted one. */
  readonly state?: string;
  /** The number of orders that the exchange says it cancelled, in an outcome. */
  readonly count?: number;
  /** The result of reading, in a verdict. */
  readonly verdict?: Verdict;
}

/** The confirmed request, its sender and its server, as they were at the confirmation. */
export interface IntentNote {
  readonly askedAtMs: number;
  readonly connectionName: string;
  readonly environment: Environment;
  /** The host and port of the exchange; undefined where it has no fixed ones. */
  readonly server?: string;
  /** The signed-in identity, as `identityKey` returns it; without a secret. */
  readonly identity: string;
  /** The public identifier of the key; undefined without one. */
  readonly clientId?: string;
  /** The number of the account, where the server sent it. */
  readonly userId?: number;
  readonly action: string;
  readonly target: string;
  readonly sentence?: string;
  /** The order that it names. */
  readonly targetId?: string;
  /** The orders that it covers without naming them. */
  readonly covers?: readonly CoveredOrder[];
  /** The previous values of the fields that it changes. */
  readonly before?: Fields;
  /** Whether its object was seen on this account before it was sent. */
  readonly isSeen?: true;
}

const EVENTS: readonly JournalRecord["event"][] = ["intent", "sent", "outcome", "verdict", "setAside"];

/** Whether a parsed line of a journal is a record of a known form. */
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
const ENVIRONMENTS: Readonly<Record<Environment, true>> = {
  simulator: true,
  test: true,
  production: true,
  gateway: true,
};

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

/** The number of records that are kept. Those of intents with an unproved outcome always stay, except repetitions. */
export const MAX_KEPT_RECORDS = 2000;

/**
 * Returns the newest records, and all of intents without a recorded outcome. Of equal verdicts on an intent only the
 * last one stays. Oldest first, in the given order.
 */
export function worthKeeping(all: readonly JournalRecord[]): readonly JournalRecord[] {
  const records = withoutRepetitions(all);
  const settled = settledIntents(records);
  const oldest = records.length - MAX_KEPT_RECORDS;
  return records.filter((record, index) => index >= oldest || !settled.has(record.intentId));
}

/** Returns the records without verdicts that a later one on the same intent repeats. */
function withoutRepetitions(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const keys = records.map(repetitionKey);
  const last = new Map(keys.map((key, index) => [key, index]));
  return records.filter((_record, index) => keys[index] === undefined || last.get(keys[index]) === index);
}

/** Whether a record makes an earlier one superfluous: it is an equal verdict on the same intent. */
export function isRepeatedBy(earlier: JournalRecord, later: JournalRecord): boolean {
  const key = repetitionKey(earlier);
  return key !== undefined && key === repetitionKey(later);
}

/** Returns what equal verdicts on one intent have in common; undefined for other records. */
function repetitionKey({ intentId, verdict }: JournalRecord): string | undefined {
  return verdict === undefined ? undefined : `${intentId} ${verdictKey(verdict)}`;
}

/** Returns the IDs of the intents whose outcome is known, or was set aside. */
function settledIntents(records: readonly JournalRecord[]): ReadonlySet<string> {
  const settled = new Set<string>();
  const verdicts = new Map<string, Verdict[]>();
  for (const { intentId, event, result, verdict } of records) {
    if (event === "setAside" || (event === "outcome" && result !== "unknown")) settled.add(intentId);
    if (event === "verdict" && verdict !== undefined)
      verdicts.set(intentId, [...(verdicts.get(intentId) ?? []), verdict]);
  }
  for (const [intentId, all] of verdicts) if (areSettling(all)) settled.add(intentId);
  return settled;
}

/** Returns what went wrong with the disk, in words that fit into a sentence. */
export function diskTroubleText(thrown: unknown): Plain {
  const code = isObject(thrown) && typeof thrown["code"] === "string" ? thrown["code"] : "";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return l10n.t("the disk is full");
    case "EACCES":
    case "EPERM":
      return l10n.t("permission denied");
    case "EROFS":
      return l10n.t("the disk is read-only");
    default:
      return code === "" ? l10n.t("writing to the disk failed") : l10n.t("disk error {0}", plain.text(code));
  }
}

/** A journal that lives as long as the window. */
export interface MemoryJournal extends Journal {
  /** The records, oldest first; the oldest go when there are more than a few thousand. */
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

/**
 * Returns parameters in a form that may be kept: unchanged when nothing in them is secret, else rewritten with the
 * secrets masked. A text that is not JSON is masked whole.
 */
export function maskParams(method: string, paramsText: string): string {
  return masked(method, paramsText).text;
}

/** Returns the texts and numbers that `maskParams` hides, if they are too long to stand elsewhere by chance. */
export function secretTexts(method: string, paramsText: string): readonly string[] {
  return masked(method, paramsText).secrets;
}

/** Returns a record without the secrets of its request's parameters, wherever they stand. */
export function recordWithoutSecrets(record: JournalRecord): JournalRecord {
  const { text, secrets } = masked(record.method, record.paramsText);
  if (text === record.paramsText) return record;
  const { note } = record;
  // The words of a request file repeat the parameters, perhaps cut or escaped.
  const plainNote =
    note === undefined
      ? {}
      : {
          note: {
            ...noteWithoutSentence(note),
            action: l10n.t("Send {0}", plain.text(record.method)),
            target: record.method,
          },
        };
  const values = createSecretValues();
  for (const secret of secrets) values.keep(secret);
  const line = JSON.stringify({ ...record, ...plainNote, paramsText: text });
  const clean = JSON.parse(line, (_name, value: unknown) =>
    typeof value === "string" ? values.hide(value) : value,
  ) as JournalRecord;
  const { intentId, connectionId, method, result } = record;
  return { ...clean, intentId, connectionId, method, result };
}

function noteWithoutSentence(note: IntentNote): IntentNote {
  return Object.fromEntries(Object.entries(note).filter(([name]) => name !== "sentence")) as unknown as IntentNote;
}

function masked(method: string, paramsText: string): { readonly text: string; readonly secrets: readonly string[] } {
  const known = methodFacts(method)?.paramSecrets ?? [];
  const isSecret = (name: string): boolean => known.includes(name) || mayNameSecret(name);
  const secrets: string[] = [];
  const names = new Set<string>();
  try {
    const text = JSON.stringify(JSON.parse(paramsText), (name, value: unknown) => {
      // The name of the session's token tells nothing of it, nor does a stand-in of its secret.
      if (!isSecret(name) || value === SESSION_REFRESH_TOKEN || isStandIn(value)) return value;
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
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
