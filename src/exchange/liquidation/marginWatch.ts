import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { createLiquidations, type LiquidationPorts } from "./liquidations.ts";
import { SECOND_MS } from "../market/calendar.ts";

/** Lets liquidations happen as the time passes, whether or not the market stands still. */
export interface MarginWatch extends Disposable {
  /** Carries out the rounds that are due at a time. */
  advance(nowMs: number): void;
  /** To be called once the accounts have what they begin with: one of them may be short of margin. */
  begin(): void;
}

interface MarginWatchPorts extends LiquidationPorts {
  readonly clock: Clock;
  /** Called a second after a round, while there is something to liquidate: it has to let the time pass. */
  readonly onSecond: () => void;
}

/** Makes the watch over the margins of accounts. A timer runs only as long as an account is being liquidated. */
export function createMarginWatch(ports: MarginWatchPorts): MarginWatch {
  const { clock, ledger, onSecond } = ports;
  const liquidations = createLiquidations(ports, clock.now());
  let timer: Disposable | undefined;
  const lookAgain = (): void => {
    timer ??= clock.after(SECOND_MS, () => {
      timer = undefined;
      onSecond();
    });
  };
  return {
    advance(nowMs) {
      liquidations.advance(nowMs);
      if (liquidations.isUnderWay) lookAgain();
    },
    begin() {
      if (ledger.shortOfMargin().length > 0) lookAgain();
    },
    dispose: () => timer?.dispose(),
  };
}
