import fc from "fast-check";
import { playSchedule, type Played } from "./play.ts";
import { describeSchedule, effectiveSteps, schedules, type Schedule } from "./schedule.ts";

/** Many schedules, made from one seed. */
export interface CampaignOptions {
  readonly seed: number;
  readonly runs: number;
  /** Leads to one schedule of a seed, as a failure prints it. */
  readonly path?: string;
  /** Whether a failure is made as small as it gets. */
  readonly isShrunk?: boolean;
}

export interface CampaignReport {
  readonly schedules: number;
  /** Schedules with at least 30 events and 3 intents. */
  readonly full: number;
  readonly events: number;
  readonly intents: number;
  /** Writes that went over a wire. */
  readonly frames: number;
  /** In how many schedules something occurred. */
  readonly seen: Readonly<Record<string, number>>;
  readonly failure: CampaignFailure | undefined;
}

export interface CampaignFailure {
  readonly seed: number;
  readonly path: string;
  /** The number of the schedule that failed first. */
  readonly after: number;
  readonly violations: readonly string[];
  /** The smallest schedule that still fails, to read and to keep. */
  readonly text: string;
  readonly schedule: Schedule;
}

const MIN_EVENTS = 30;
const MIN_INTENTS = 3;

export async function runCampaign({ seed, runs, path, isShrunk = true }: CampaignOptions): Promise<CampaignReport> {
  const seen: Record<string, number> = {};
  const counts = { schedules: 0, full: 0, events: 0, intents: 0, frames: 0 };
  let failedAfter: number | undefined;
  const take = (played: Played): void => {
    if (failedAfter !== undefined) return;
    counts.schedules++;
    counts.events += played.events;
    counts.intents += played.intents;
    counts.frames += played.frames;
    if (played.events >= MIN_EVENTS && played.intents >= MIN_INTENTS) counts.full++;
    for (const each of played.seen) seen[each] = (seen[each] ?? 0) + 1;
    if (played.violations.length > 0) failedAfter = counts.schedules;
  };
  const details = await fc.check(
    fc.asyncProperty(schedules, async (schedule) => {
      const played = await playSchedule(schedule);
      take(played);
      return played.violations.length === 0;
    }),
    { seed, numRuns: runs, endOnFailure: !isShrunk, ...(path === undefined ? {} : { path }) },
  );
  if (!details.failed || details.counterexample === null) return { ...counts, seen, failure: undefined };
  const [schedule] = details.counterexample;
  const small = { ...schedule, steps: effectiveSteps(schedule.steps) };
  const { violations } = await playSchedule(schedule);
  return {
    ...counts,
    seen,
    failure: {
      seed,
      path: details.counterexamplePath,
      after: failedAfter ?? counts.schedules,
      violations,
      text: describeSchedule(schedule),
      schedule: small,
    },
  };
}
