import * as path from "node:path";
import { JournalFile } from "../../src/actions/journal/journalFile.ts";
import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { createRun } from "../../src/ui/connections/runs.ts";

/*
 * A run in a process of its own, so that it can be killed. It does what each line on its input says, and says what came
 * of it.
 */

export interface RunProgram {
  readonly folder: string;
  /** How far its wall clock is ahead. */
  readonly aheadMs: number;
}

export type RunOrder = { readonly kind: "write"; readonly intentId: string } | { readonly kind: "adopt" };

const { folder, aheadMs } = JSON.parse(process.argv[2] ?? "{}") as RunProgram;
const system = createSystemClock();
const clock: Clock = { ...system, now: () => system.now() + aheadMs };
const run = createRun({ folder: path.join(folder, "runs"), clock, log: silentLog });
const journal = new JournalFile({
  folder: path.join(folder, "journal"),
  runId: run.id,
  isAlive: run.isAlive,
  log: silentLog,
});

const say = (what: unknown): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};

async function follow(order: RunOrder): Promise<void> {
  if (order.kind === "adopt") {
    say((await journal.adopt()).map(({ intentId }) => intentId));
    return;
  }
  await journal.append({
    schema: 1,
    intentId: order.intentId,
    atMs: clock.now(),
    connectionId: "c",
    event: "sent",
    method: "private/cancel",
    paramsText: "{}",
    result: undefined,
  });
  say("written");
}

let heard = "";
process.stdin.on("data", (piece: Buffer) => {
  heard += piece.toString();
  const lines = heard.split("\n");
  heard = lines.pop() ?? "";
  for (const line of lines) void follow(JSON.parse(line) as RunOrder);
});
process.stdin.on("end", () => process.exit(0));
say(run.id);
