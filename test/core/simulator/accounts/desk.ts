import { MONEY } from "../conversation.ts";
import assert from "node:assert/strict";
import { CallError } from "../../../../src/base/failure.ts";
import type { Side } from "../../../../src/exchange/instrument.ts";
import { createAccessLog } from "../../../../src/simulator/accounts/accessLog.ts";
import { createAccountRegister, type AccountRegister } from "../../../../src/simulator/accounts/accountRegister.ts";
import { ACCOUNTS } from "../../../../src/simulator/accounts/accounts.ts";
import type { Venue } from "../../../../src/simulator/market/venue.ts";
import { accountHandlers, positionMethods } from "../../../../src/simulator/methods/accountMethods.ts";
import type { HandlerPorts } from "../../../../src/simulator/methods/handlers.ts";
import { subaccountMethods } from "../../../../src/simulator/methods/subaccountMethods.ts";
import { transactionMethods, transferMethods } from "../../../../src/simulator/methods/transactionMethods.ts";
import { createMarket } from "../../../../src/simulator/market/market.ts";
import { createListing } from "../../../../src/simulator/market/listing.ts";
import { createVenueNews, createTradingVenue } from "../../../../src/simulator/wire/parts.ts";
import { createPublisher } from "../../../../src/simulator/sessions/publisher.ts";
import type { FakeClock } from "../../../fakeClock.ts";

export const MAIN = ACCOUNTS[0].id;
export const SUB = ACCOUNTS[1]?.id ?? 0;
export const EMPTY = ACCOUNTS[2]?.id ?? 0;

type Params = Readonly<Record<string, unknown>>;

/** The methods about accounts over a venue of their own, without a wire: the test can trade at the venue. */
export interface AccountDesk {
  readonly venue: Venue;
  readonly accounts: AccountRegister;
  /** Calls a method about an account, as its owner: as the main account unless another caller is named. */
  read<T = Record<string, unknown>>(
    method: string,
    params?: Params,
    about?: { id?: number; caller?: number },
  ): Readonly<T>;
  /** Returns the code and the reason, or the message where there is none, with which a call is refused. */
  refusal(method: string, params?: Params, about?: { id?: number; caller?: number }): [code: number, reason: unknown];
  /** Trades with the market at once. */
  trade(instrument: string, direction: Side, lots: number, account?: number): void;
}

/** Makes a desk. `wrap` may put something else in the place of the venue. */
export function createAccountDesk(clock: FakeClock, wrap: (venue: Venue) => Venue = (venue) => venue): AccountDesk {
  const publisher = createPublisher(clock, (text) => text);
  const accounts = createAccountRegister(ACCOUNTS, clock.now());
  const venue = wrap(
    createTradingVenue({
      ...{ clock, seed: 1, account: MONEY, news: createVenueNews(), accounts, publisher },
      listing: createListing(clock.now()),
    }),
  );
  const common = {
    ...{ clock, publisher, venue, accounts, accessLog: createAccessLog({ clock, publisher }) },
    openOrderTexts: () => [],
    changesOf: () => undefined,
    mmp: { configs: () => [] },
    world: { market: createMarket({ seed: 1, venue }) },
  };
  const run = (method: string, params: Params, id: number, caller: number): string => {
    const ports = { ...common, id } as unknown as HandlerPorts;
    const handlers = {
      ...accountHandlers(ports),
      ...positionMethods(ports),
      ...transactionMethods(ports),
      ...transferMethods(ports),
      ...subaccountMethods(ports),
    } as unknown as Record<string, (call: object) => string>;
    const handler = handlers[method];
    assert.ok(handler !== undefined, `${method} has no handler`);
    return handler({ params, connection: {}, authorisation: { subject: caller } });
  };
  return {
    venue,
    accounts,
    read: (method, params = {}, { id = MAIN, caller = MAIN } = {}) =>
      JSON.parse(run(method, params, id, caller)) as never,
    refusal(method, params = {}, { id = MAIN, caller = MAIN } = {}) {
      try {
        run(method, params, id, caller);
      } catch (error) {
        assert.ok(error instanceof CallError && error.failure.kind === "exchange", String(error));
        return [error.failure.code, error.failure.reason ?? error.failure.message];
      }
      return assert.fail(`${method} was not refused`);
    },
    trade(instrument, direction, lots, account = MAIN) {
      const outcome = venue.operate(instrument, (engine, nowMs) =>
        engine.place({ account: String(account), instrument, direction, amount: lots, type: "market" }, nowMs),
      );
      assert.ok(outcome.isDone, JSON.stringify(outcome));
      assert.equal(outcome.order.state, "filled");
    },
  };
}
