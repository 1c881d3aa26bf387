import { aboutOf } from "../actions/changes/changes.ts";
import { targetKeyOf } from "../actions/judge/check.ts";
import type { Gate } from "../actions/gate/gate.ts";
import { createMemoryJournal, type Journal } from "../actions/journal/journal.ts";
import { Journals, type JournalsPorts } from "../actions/journal/journals.ts";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import type { RecordedIntent } from "../actions/journal/recordedIntents.ts";
import type { Clock } from "../base/clock.ts";
import { messageOf } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { silentLog } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import { bareMethod, effectOf, isCancel } from "../catalogue/index.ts";
import type { Times } from "../present/text/times.ts";
import { untilSettled, type SettleLimits } from "./settle.ts";
import { provedOf, provedSentence } from "./steps.ts";

/** Where the runs of this user write down what they change. */
export interface JournalPlace extends Pick<JournalsPorts, "runId" | "isAlive"> {
  readonly folder: string;
  /** Makes the folder, and tries whether it takes a file. Rejects with the reason where it does not. */
  readonly tryFolder: () => Promise<void>;
}

/** What the runs of this user have written down. */
export interface RunJournals {
  /** The journal of this run. */
  readonly journal: Journal;
  /** The journals of all runs; undefined where this run leaves nothing to later ones. */
  readonly kept: Journals | undefined;
}

/** Makes the journals of a run that keeps nothing: it changes nothing, or on a simulator that ends with it. */
export function nothingKept(): RunJournals {
  return { journal: createMemoryJournal(), kept: undefined };
}

/**
 * Whether a later run must not repeat a request: it changes something, and isn't a cancel, which does no harm, and no
 * switch of the account, which ends with the run.
 */
export function isKeptChange(method: string): boolean {
  const effect = effectOf(bareMethod(method));
  return effect !== "read" && effect !== "session" && !isCancel(bareMethod(method));
}

/** Makes the journals of a run. One that can't keep anything warns, and goes on. */
export async function openJournals(
  { folder, tryFolder, ...run }: JournalPlace,
  { clock, warn }: { readonly clock: Clock; readonly warn: (sentence: Plain) => void },
): Promise<RunJournals> {
  const problem = await tryFolder().then(() => undefined, messageOf);
  if (problem !== undefined) {
    warn(
      l10n.t(
        "The changes of this run can't be written down in {0}: {1}. If an outcome stays unknown, the next run doesn't know of it.",
        plain.text(folder),
        plain.text(problem),
      ),
    );
    return nothingKept();
  }
  const kept = new Journals({ folder, ...run, clock, log: silentLog });
  return {
    kept,
    journal: {
      async append(record) {
        if (isKeptChange(record.method)) await kept.append(record);
      },
    },
  };
}

/** The ports of a look at what earlier runs have left. */
interface EarlierPorts {
  readonly clock: Clock;
  readonly times: Times;
  readonly limits: SettleLimits;
  /** Whether a user is there to confirm changes. */
  readonly isAttended: boolean;
  readonly onNote: (sentence: string) => void;
}

/**
 * Checks with the exchange what earlier runs left unknown, before anything is sent, and tells what was found. Returns
 * how this run submits, if that is not as always: without a user, a change that turns out to be made already is not
 * made once more.
 */
export async function checkEarlierRuns(
  live: Pick<LiveConnection, "gate" | "record" | "place">,
  journals: Journals,
  { clock, times, limits, isAttended, onNote }: EarlierPorts,
): Promise<Gate["submit"] | undefined> {
  const left = await journals.adopt(live.record.id);
  await live.gate.resume(left);
  // What another account, or another server, was sent is not looked up here.
  const past = left.filter(({ id }) => live.gate.activity.some((entry) => entry.id === id));
  if (past.length === 0) return undefined;
  onNote(
    l10n.t(
      "An earlier run ended before the outcome was known: {0}. It is checked with the exchange first.",
      plain.join(
        past.map(({ method }) => plain.text(method)),
        ", ",
      ),
    ),
  );
  await untilSettled(live.gate, clock, limits);
  const made = new Set<RecordedIntent>();
  for (const each of past) {
    const entry = live.gate.activity.find(({ id }) => id === each.id);
    if (entry === undefined) continue;
    const sentence = provedSentence(entry, { intent: entry.intent, place: live.place, times });
    const proof = provedOf(entry);
    if (proof === "done" || proof === "other") made.add(each);
    onNote(
      sentence === "" ? l10n.t("The outcome of the earlier {0} is still unknown.", plain.text(each.method)) : sentence,
    );
  }
  return async (intent, options) => {
    const method = bareMethod(intent.method);
    const target = targetKeyOf({ ...intent, method });
    const same = past.filter((each) => targetKeyOf(each) === target);
    const repeated = same.find(
      (each) =>
        made.has(each) &&
        each.method === method &&
        (each.paramsText === intent.paramsText || aboutOf(method) === "newOrder"),
    );
    if (repeated !== undefined && !isAttended)
      return {
        kind: "notSent",
        failure: {
          kind: "declined",
          reason: l10n.t("An earlier run made this change already. Run it again to make it once more."),
        },
      };
    const outcome = await live.gate.submit(intent, options);
    // It was sent with a consent that knew of them.
    if (outcome.kind !== "notSent")
      await Promise.all(same.map(async (each) => await journals.setAside(each).catch(() => undefined)));
    return outcome;
  };
}
