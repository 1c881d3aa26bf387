import { methodFacts } from "../catalogue/index.ts";
import { HIDDEN } from "../rpc/maskSecrets.ts";

/** Where intents are written before they are sent. */
export interface Journal {
  /** Resolves when the record is as safe as the journal makes it. */
  append(record: JournalRecord): Promise<void>;
}

export interface JournalRecord {
  readonly intentId: string;
  readonly atMs: number;
  readonly connectionId: string;
  readonly event: "intent" | "sent" | "outcome" | "verdict";
  readonly method: string;
  /** Parameters with secrets masked. */
  readonly paramsText: string;
  /** Kind of outcome or verdict, where the event is one. */
  readonly result: string | undefined;
}

const EVENTS: readonly JournalRecord["event"][] = ["intent", "sent", "outcome", "verdict"];

/** Whether a parsed line of a journal is a record. */
export function isJournalRecord(value: unknown): value is JournalRecord {
  if (typeof value !== "object" || value === null) return false;
  const { intentId, atMs, connectionId, event, method, paramsText, result } = value as Readonly<Record<string, unknown>>;
  const areTexts = [intentId, connectionId, method, paramsText].every((text) => typeof text === "string");
  return areTexts && typeof atMs === "number" && EVENTS.some((each) => each === event) && (result === undefined || typeof result === "string");
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
const SECRET_NAME = /secret|token|password|passphrase|authorization_data|challenge|signature|private_key/i;

/**
 * Parameters as they may be kept: unchanged when nothing in them is secret, else written anew with the secrets masked;
 * a text that is no JSON is masked whole.
 */
export function maskParams(method: string, paramsText: string): string {
  const known = methodFacts(method)?.paramSecrets ?? [];
  const isSecret = (name: string): boolean => known.includes(name) || SECRET_NAME.test(name);
  const secretNames = new Set<string>();
  try {
    const masked = JSON.stringify(JSON.parse(paramsText), (name, value: unknown) => {
      if (!isSecret(name)) return value;
      secretNames.add(name);
      return HIDDEN;
    });
    return secretNames.size > 0 ? masked : paramsText;
  } catch {
    return HIDDEN;
  }
}
