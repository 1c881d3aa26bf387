import type { Random } from "../../base/clock.ts";
import type { FaultDescription } from "./library.ts";
import { createSeededRandom, namedSeed, randomInteger, randomOf } from "../text/seededRandom.ts";

/** The calls that place orders and quotes. */
const ORDERS = ["private/buy", "private/sell", "private/mass_quote"];
const CHANGES = [...ORDERS, "private/edit", "private/cancel"];

/** Makes a fault that meets a change. */
type Maker = (random: Random) => FaultDescription;

/** A number of the call that a fault begins with: soon, so that a bot that sends little meets it. */
const soon = (random: Random): number => randomInteger(random, 1, 3);
/** A number for faults of all methods: what signs in comes first. */
const later = (random: Random): number => randomInteger(random, 4, 16);

/** Faults of orders. Each schedule has the next one of them, so that few seeds have all. */
const LEADING: readonly Maker[] = [
  (random) => ({ do: "drop", method: ORDERS, from: soon(random) }),
  (random) => ({ do: "cut", method: ORDERS, from: soon(random) }),
  (random) => ({ do: "error", code: 11094, done: true, method: ORDERS, from: soon(random) }),
  (random) => ({ do: "deadToken", from: later(random) }),
  (random) => ({ do: "settlement", method: ORDERS, from: soon(random), calls: randomInteger(random, 8, 16) }),
  (random) => ({ do: "badGateway", method: ORDERS, from: soon(random) }),
  (random) => ({ do: "tooManyRequests", from: later(random) }),
  (random) => ({ do: "skipChangeId", method: ORDERS, from: soon(random) }),
  (random) => ({ do: "delay", method: ORDERS, from: soon(random), ms: randomInteger(random, 3000, 8000) }),
  (random) => ({ do: "cut", method: CHANGES, from: soon(random), answered: true }),
];

/** Faults that come along. */
const OTHERS: readonly [Maker, ...Maker[]] = [
  (random) => ({ do: "fillBeforeCancel", from: soon(random) }),
  (random) => ({ do: "partialFillThenCancel", from: soon(random) }),
  (random) => ({ do: "selfMatchCancel", from: soon(random) }),
  (random) => ({ do: "duplicate", method: CHANGES, from: soon(random) }),
  (random) => ({ do: "reorder", from: later(random), calls: randomInteger(random, 1, 2) }),
  (random) => ({ do: "error", code: 10009, method: ORDERS, from: soon(random), times: randomInteger(random, 1, 6) }),
  (random) => ({ do: "freeze", method: ORDERS, from: soon(random), calls: randomInteger(random, 3, 8) }),
  (random) => ({ do: "maintenance", from: later(random), calls: randomInteger(random, 2, 4) }),
  (random) => ({ do: "tradeTwice", from: later(random) }),
  (random) => ({ do: "eventBeforeReply", method: CHANGES, from: soon(random), times: 3 }),
  (random) => ({ do: "priceMove", from: later(random), percent: randomInteger(random, -8, 8) }),
  (random) => ({ do: "latency", ms: [5, randomInteger(random, 20, 200)] }),
];

/** Returns the faults of a seed, as a file describes them: two to four. */
export function scheduleOf(seed: number): readonly FaultDescription[] {
  const random = createSeededRandom(namedSeed(seed, "schedule"));
  const leading = LEADING[(seed + LEADING.length - 1) % LEADING.length];
  const others = Array.from({ length: randomInteger(random, 1, 3) }, () => randomOf(random, OTHERS)(random));
  return [...(leading === undefined ? [] : [leading(random)]), ...others];
}
