import { Worker } from "node:worker_threads";
import { buildPlanted, type Replacement } from "../planted/planting.ts";
import type { CampaignOptions, CampaignReport } from "./campaign.ts";
import type { SoakOptions, SoakReport } from "./soak.ts";

/* The simulation as a program of its own, so that several run beside each other, and so that bugs can be planted. */

/**
 * Builds the simulation with some of the sources changed; hands out the file. Throws where a text is not found once.
 */
export async function buildSimulation(changes: readonly Replacement[] = []): Promise<string> {
  return await buildPlanted("test/simulation/worker.ts", changes);
}

/** Runs a built simulation in a thread of its own. */
export async function runInThread(file: string, options: CampaignOptions): Promise<CampaignReport> {
  return await messageOf<CampaignReport>(file, options);
}

/** Runs the days of a built simulation in a thread of its own with a separate heap. */
export async function soakInThread(file: string, options: SoakOptions): Promise<SoakReport> {
  return await messageOf<SoakReport>(file, options);
}

/** The one message of a program that runs in a thread of its own; rejects when it fails, or ends without a word. */
export async function messageOf<Message>(file: string, workerData: unknown): Promise<Message> {
  const worker = new Worker(file, { workerData });
  try {
    return await new Promise<Message>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => {
        reject(new Error(`the thread ended with ${code}`));
      });
    });
  } finally {
    await worker.terminate();
  }
}
