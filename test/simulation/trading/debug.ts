import fc from "fast-check";
import { playTradingSchedule } from "./play.ts";
import { describeTradingSchedule, tradingSchedules } from "./schedule.ts";
const [seed, count] = [Number(process.env["SEED"] ?? 1), Number(process.env["COUNT"] ?? 20)];
const sample = fc.sample(tradingSchedules, { seed, numRuns: count });
const counts = new Map<string, number>();
let frames = 0, bad = 0, done = 0;
const begin = Date.now();
const report = (): void => console.log(`schedules ${done} frames ${frames} bad ${bad} s ${(Date.now() - begin) / 1000} cpu ${process.cpuUsage().user / 1e6} mem ${Math.round(process.memoryUsage().heapUsed/1e6)}`, [...counts].map(([a, b]) => `${a} ${b}`).sort().join(", "));
void (async () => {
  for (const schedule of sample) {
    const played = await playTradingSchedule(schedule);
    done++; frames += played.frames;
    for (const [what, times] of played.counts) counts.set(what, (counts.get(what) ?? 0) + times);
    if (played.violations.length > 0 && ++bad < Number(process.env["SHOW"] ?? 4)) console.log(played.violations.map((v) => v.slice(0, 1200)).join("\n"), "\n", describeTradingSchedule(schedule));
    if (done % 100 === 0) report();
  }
  report();
})();
