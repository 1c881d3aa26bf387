import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import * as esbuild from "esbuild";
import type { CampaignOptions, CampaignReport } from "./campaign.ts";
import type { Replacement } from "./plantedBugs.ts";

/* The simulation as a program of its own, so that several run beside each other, and so that bugs can be planted. */

/** Builds the simulation with some of the sources changed; hands out the file. Throws where a text is not found once. */
export async function buildSimulation(changes: readonly Replacement[] = []): Promise<string> {
  const outfile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "simulation-")), "worker.cjs");
  const missing = changes.filter(({ file, search }) => fs.readFileSync(file, "utf8").split(search).length !== 2);
  if (missing.length > 0) throw new Error(`These texts do not stand once in the sources any more:\n${missing.map(({ file, search }) => `${file}: ${search}`).join("\n")}`);
  await esbuild.build({
    entryPoints: ["test/simulation/worker.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    mainFields: ["module", "main"],
    logLevel: "warning",
    plugins: [
      {
        name: "planted",
        setup(build) {
          build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
            const own = changes.filter((each) => path.resolve(each.file) === file);
            if (own.length === 0) return undefined;
            const text = await fs.promises.readFile(file, "utf8");
            return { contents: own.reduce((changed, { search, replacement }) => changed.replace(search, () => replacement), text), loader: "ts" };
          });
        },
      },
    ],
  });
  return outfile;
}

/** Runs a built simulation in a thread of its own. */
export async function runInThread(file: string, options: CampaignOptions): Promise<CampaignReport> {
  const worker = new Worker(file, { workerData: options });
  try {
    return await new Promise<CampaignReport>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => { reject(new Error(`the thread ended with ${code}`)); });
    });
  } finally {
    await worker.terminate();
  }
}
