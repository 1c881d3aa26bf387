import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { SimulatedAccount } from "./accounts.ts";
import { tradeByChance } from "./marketBlockTrades.ts";
import { roundTo } from "../text/json.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";

export interface AccountMotionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: SimulatedAccount;
  /** Called when a change is done. */
  readonly onMoved: () => void;
}

/**
 * Makes all but the orders change now and then until disposed: a block trade a minute or so, a quote, a frozen group.
 */
export function startAccountMotion(ports: AccountMotionPorts): Disposable {
  let timer: Disposable;
  const wait = (): void => {
    timer = ports.clock.after(randomInteger(ports.random, 8000, 25_000), () => {
      moveAccount(ports);
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

/** Makes one visible change: a block trade, a quote that comes or goes, a group that freezes. */
export function moveAccount({ clock, random, account }: Omit<AccountMotionPorts, "onMoved">): void {
  const chance = random();
  if (chance < 0.4) tradeByChance(account, random, clock.now());
  else if (chance < 0.85) moveQuotes(account, random);
  else {
    const passing = account.mmp.configs({}).filter((config) => config.frozen_time > 0);
    const config = passing[randomInteger(random, 0, Math.max(0, passing.length - 1))];
    if (config !== undefined) account.mmp.freeze({ ...config, mmp_group: config.mmp_group ?? "" });
  }
}

function moveQuotes({ blockRfqs }: SimulatedAccount, random: Random): void {
  const open = blockRfqs.openQuotes();
  const [first, ...others] = open;
  if (first !== undefined && open.length > 5) {
    blockRfqs.cancel(randomOf(random, [first, ...others]).block_rfq_quote_id);
    return;
  }
  const asked = [...blockRfqs.rfqs()].filter(({ state, role }) => state === "open" && role === "maker");
  const rfq = asked[randomInteger(random, 0, Math.max(0, asked.length - 1))];
  if (rfq === undefined) return;
  const direction = random() < 0.5 ? "buy" : "sell";
  const price = roundTo(direction === "buy" ? 0.02 + random() * 0.002 : 0.023 + random() * 0.002, 0.0005);
  blockRfqs.place({ block_rfq_id: rfq.block_rfq_id, direction, price, amount: rfq.amount });
}
