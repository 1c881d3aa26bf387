import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";
import { playSchedule } from "../simulation/play.ts";
import { describeSchedule, schedules, type Schedule } from "../simulation/schedule.ts";
import { carried, type Carried } from "./socketWire.ts";

/* Plays schedules that are made from a seed, and hands out what happened in each. */

export interface Wanted {
  readonly seed: number;
  readonly runs: number;
  /** Only this one, with its whole transcript. */
  readonly only?: number;
}

export interface Told {
  /** Of each schedule: lines, and a hash of its transcript. */
  readonly runs: readonly { readonly lines: number; readonly hash: string; readonly violations: readonly string[] }[];
  readonly transcript: readonly string[];
  readonly schedule: string;
  readonly carried: Carried;
}

/** Nothing is said on a socket that just breaks off: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
function withRealCloses(schedule: Schedule): Schedule {
  return {
    ...schedule,
    steps: schedule.steps.map((step) =>
      step.do === "closeByServer" && step.code === 1006 ? { ...step, reason: "" } : step,
    ),
  };
}

/**
 * The wire in memory has no code for a link that the exchange ends by itself; which trouble it is has to be the same.
 */
function withoutCode(line: string): string {
  return line.replaceAll(/\((?:close code 100[06]|closed by the other side)\)/g, "(closed)");
}

/**
 * Within a moment: what each wire carried, then the states, the questions, the sentences, the steps, each in its order.
 * Over a socket the core hears of an end a little later in the same moment, after what happened meanwhile.
 */
function inChannels(transcript: readonly string[]): readonly string[] {
  const channelOf = (line: string): string => /^\S+ (?:[→←](\d+)|(\S))/.exec(line)?.slice(1).join("") ?? "";
  const momentOf = (line: string): number => Number(line.slice(0, line.indexOf(" ")));
  return transcript.toSorted(
    (one, other) =>
      momentOf(one) - momentOf(other) ||
      (channelOf(one) < channelOf(other) ? -1 : channelOf(one) > channelOf(other) ? 1 : 0),
  );
}

async function main({ seed, runs, only }: Wanted): Promise<void> {
  const all = fc
    .sample(schedules, { seed, numRuns: runs * 3 })
    .filter(({ way }) => way === "webSocket")
    .slice(0, runs)
    .map(withRealCloses);
  const told: Told["runs"][number][] = [];
  let last: readonly string[] = [];
  for (const schedule of only === undefined ? all : all.slice(only, only + 1)) {
    const played = await playSchedule(schedule);
    const transcript = inChannels(played.transcript.map(withoutCode));
    const { violations } = played;
    told.push({
      lines: transcript.length,
      hash: createHash("sha256").update(transcript.join("\n")).digest("hex"),
      violations,
    });
    last = transcript;
  }
  const chosen = only === undefined ? undefined : all[only];
  parentPort?.postMessage({
    runs: told,
    transcript: chosen === undefined ? [] : last,
    schedule: chosen === undefined ? "" : describeSchedule(chosen),
    carried,
  } satisfies Told);
}

void main(workerData as Wanted);
