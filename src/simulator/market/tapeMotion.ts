import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { chanceInstrument } from "./chance.ts";
import { randomInteger } from "../text/seededRandom.ts";
import type { World } from "./world.ts";

export interface TapeMotionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly world: World;
  /** Called when a moment's trades are done. */
  readonly onMoved: () => void;
}

/** The instrument that trades most, everywhere. */
const BUSIEST = "BTC-PERPETUAL";
/** The shortest pause, in ms; a moment with trades comes about three times a second. */
const SHORTEST_PAUSE_MS = 80;
const LONGEST_PAUSE_MS = 600;

/**
 * Makes others trade until disposed, so that a tape has content. The busiest instrument gets a few trades a second, now
 * and then several at once as when an order takes several others. The rest together get one a second.
 */
export function startTapeMotion(ports: TapeMotionPorts): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = ports.clock.after(randomInteger(ports.random, SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), () => {
      tradeOnce(ports);
      ports.onMoved();
      wait();
    });
  };
  wait();
  return {
    dispose: () => {
      timer.dispose();
    },
  };
}

function tradeOnce({ world, random }: TapeMotionPorts): void {
  const busiest = world.instruments.get(BUSIEST);
  const count = random() < 0.15 ? randomInteger(random, 2, 5) : 1;
  if (busiest !== undefined) for (let trade = 0; trade < count; trade++) world.trade(busiest);
  if (random() < 0.3) world.trade(chanceInstrument(random));
}
