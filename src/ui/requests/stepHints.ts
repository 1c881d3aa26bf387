import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Steps } from "../../base/slices.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { stepHints, type KeptNumbers, type KnownSteps } from "../../requests/checking/instrumentSteps.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import type { FileHint } from "../../requests/file/hints.ts";
import type { InstrumentSteps, InstrumentsSnapshot } from "../../state/instruments.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";

/** Hints on prices and amounts, from what a connection knows of instruments. Nothing is read for them. */
export interface StepHints {
  /** Finds the hints of requests, a request at a step. */
  in(file: Pick<RequestFile, "text" | "requests">, live: LiveConnection | undefined): Steps<readonly FileHint[]>;
}

export function createStepHints(): StepHints {
  const kept: KeptNumbers = new WeakMap();
  const byName = new WeakMap<InstrumentsSnapshot, ReadonlyMap<string, InstrumentSteps>>();
  const stepsIn = (snapshot: InstrumentsSnapshot): ReadonlyMap<string, InstrumentSteps> => {
    const found = byName.get(snapshot) ?? new Map(snapshot.items.map(({ name, steps }) => [name, steps]));
    byName.set(snapshot, found);
    return found;
  };
  return {
    *in(file, live) {
      if (live === undefined || live.instruments.snapshot.readAtMs === undefined) return [];
      const known: KnownSteps = {
        stepsOf: (name) => stepsIn(live.instruments.snapshot).get(name),
        instrumentOf: (orderId) => live.orders.snapshot.items.get(orderId)?.order.instrument_name,
      };
      return yield* stepHints(file, known, kept);
    },
  };
}

/** Calls back when the instruments of a connection become known, or are read again. */
export function whenInstrumentsAreKnown(liveConnections: LiveConnections, look: () => void): Disposable {
  const disposables = new DisposableList();
  const watch = ({ instruments }: LiveConnection): void => {
    disposables.add(instruments.onDidChange(look));
  };
  liveConnections.all.forEach(watch);
  disposables.add(liveConnections.onDidOpen(watch));
  return disposables;
}
