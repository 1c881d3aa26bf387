import { parentPort, workerData } from "node:worker_threads";
import { activate } from "../../../src/extension.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { disk } from "./disk.ts";
import { openDesk, runCommand, setSetting } from "./editor.ts";
import { net } from "./net.ts";
import { createContext, useMachine, type Manifest } from "./walk.ts";

/** A user who connects and looks on. */
export interface QuietOptions {
  readonly manifest: Manifest;
  /** The command that connects, with its arguments. */
  readonly connect: readonly [command: string, ...args: readonly unknown[]];
  readonly minutes: number;
  /** Settings of the user, by name. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What was told meanwhile, and how often a group was frozen and an order filled. */
export interface QuietReport {
  readonly told: readonly string[];
  readonly freezes: number;
  readonly trades: number;
}

async function lookOn({ manifest, connect, minutes, settings }: QuietOptions): Promise<QuietReport> {
  const fake = createFakeClock();
  const clock: FakeClock = Object.create(fake, { now: { value: () => Math.floor(fake.now()) } }) as FakeClock;
  useMachine(clock, createFakeRandom(1));
  // The demo bot trades in each simulator of such a network.
  const saved = net.open({ clock, random: () => 0.9 });
  const told: string[] = [];
  const schemas = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  openDesk(
    (line) => {
      if (/^(?:told|warned|error)/.test(line)) told.push(line);
    },
    new Map(schemas.map(([name, each]) => [name, each.default])),
  );
  for (const [name, value] of Object.entries(settings)) setSetting(name, value);
  disk.clear();
  activate(createContext(manifest, { chance: () => true, one: () => undefined }, saved.clientId, saved.clientSecret));
  await clock.advance(2000);
  const [command, ...args] = connect;
  void runCommand(command, args);
  await clock.advance(minutes * 60_000);
  const control = net.exchanges.at(-1)?.control;
  const events = (control?.connections() ?? []).map(({ events: counts }) => counts);
  const count = (channel: RegExp): number =>
    events
      .flatMap((counts) => Object.entries(counts))
      .reduce((sum, [name, number]) => (channel.test(name) ? sum + number : sum), 0);
  return { told, freezes: count(/^user\.mmp_trigger/), trades: count(/^user\.trades/) };
}

void lookOn(workerData as QuietOptions).then((report) => {
  parentPort?.postMessage(report);
});
