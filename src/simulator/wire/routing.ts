import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Venue } from "../market/venue.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";

/**
 * The way of spot orders to the partner's exchange: they are acknowledged first, and their fills come later.
 * https://docs.deribit.com/articles/spot-trading-venues
 */
interface Routing extends Disposable {
  /** Lets an order that was sent arrive after a while. */
  readonly send: (orderId: string) => void;
}

/** How long an order is on its way, in ms: at least this, and up to a range more. No figure is documented. */
const LEAST_MS = 50;
const RANGE_MS = 250;

interface RoutingPorts {
  readonly clock: Clock;
  /** The seed that decides how long each order is on its way. */
  readonly seed: number;
  readonly publisher: Pick<Publisher, "flush">;
  readonly venue: () => Venue;
}

/** Makes the way of the spot orders of a venue. */
export function createRouting({ clock, seed, publisher, venue }: RoutingPorts): Routing {
  const random = createSeededRandom(namedSeed(seed, "routing"));
  const timers = new Set<Disposable>();
  const arrive = (orderId: string): void => {
    const order = venue().books.find(orderId);
    if (order !== undefined) venue().operate(order.instrument, (engine, nowMs) => engine.arrive(orderId, nowMs));
    publisher.flush();
  };
  return {
    send(orderId) {
      const timer = clock.after(LEAST_MS + Math.floor(random() * RANGE_MS), () => {
        timers.delete(timer);
        arrive(orderId);
      });
      timers.add(timer);
    },
    dispose: () => {
      for (const timer of timers) timer.dispose();
    },
  };
}
