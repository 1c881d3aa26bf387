import { parentPort, workerData } from "node:worker_threads";
import { walk, type WalkOptions, type WalkReport } from "./walk.ts";

/** Walks from each of these seeds, until one goes wrong. */
export interface WalksOptions extends Omit<WalkOptions, "seed"> {
  readonly seeds: readonly number[];
}

async function walkAll({ seeds, ...options }: WalksOptions): Promise<readonly WalkReport[]> {
  const reports: WalkReport[] = [];
  for (const seed of seeds) {
    const report = await walk({ ...options, seed });
    reports.push(report.problems.length === 0 ? { ...report, trail: [] } : report);
    if (report.problems.length > 0) break;
  }
  return reports;
}

void walkAll(workerData as WalksOptions).then((reports) => {
  parentPort?.postMessage(reports);
});
