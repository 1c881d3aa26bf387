import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";
import type { Venue } from "./venue.ts";

export interface VenueMotionPorts {
  readonly clock: Clock;
  readonly venue: Venue;
  /** The instruments in whose books accounts have open orders. */
  readonly names: () => Iterable<string>;
  /** Called when a moment's changes are done. */
  readonly onMoved: () => void;
  /** Called with the error of a failed move, which is a defect; the next one is made all the same. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * Quotes the instruments in which accounts have open orders anew each second, until disposed: prices that move fill
 * these orders and fire their triggers. What is due at its time, such as funding and settlement, happens too.
 */
export function startVenueMotion({ clock, venue, names, onMoved, onDefect }: VenueMotionPorts): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(SECOND_MS, () => {
      try {
        venue.catchUp(names());
      } catch (error) {
        onDefect(error);
      }
      onMoved();
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
