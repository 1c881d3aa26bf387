import assert from "node:assert/strict";
import { outcomeText } from "../../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { PlacingPorts } from "../../../../src/ui/placing/placing.ts";
import { createWorld, type World, type WorldOptions } from "../../../world.ts";
import { scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/** A user at the dialogs of the commands that place orders, against the simulator. */
export interface Hand {
  readonly world: World;
  readonly said: string[];
  readonly opened: string[];
  /** Answers the questions of a command, and returns what was shown. */
  readonly run: (
    command: (ports: PlacingPorts) => Promise<void>,
    answers: readonly ScriptedAnswer[],
  ) => Promise<readonly string[]>;
}

/** `tries`: how often Try Again… is pressed where it is offered. */
export async function aHand(options: WorldOptions = {}, tries = 0): Promise<Hand> {
  const world = createWorld(options);
  await world.connect();
  const said: string[] = [];
  const opened: string[] = [];
  return {
    world,
    said,
    opened,
    async run(command, answers) {
      const { dialogs, shown, done } = scriptedDialogs(...answers);
      const running = command({
        dialogs,
        recent: { of: () => [], add: async () => await Promise.resolve() },
        notices: {
          showOutcome(live, intent, outcome, again) {
            said.push(outcomeText(outcome, { intent, place: live.place, times: createTimes(0) }));
            if (tries-- > 0) again?.();
          },
          showError: (error) => assert.fail(String(error)),
        },
        settings: { connection: () => ({ requestTimeoutMs: 15_000 }) } as PlacingPorts["settings"],
        clock: world.clock,
        run: () => undefined,
        openRequest: async (live, text) => {
          await Promise.resolve(opened.push(`${live.record.id} ${text}`));
        },
      });
      running.catch(() => undefined);
      await world.clock.advance(60_000);
      await running;
      done();
      return shown;
    },
  };
}
