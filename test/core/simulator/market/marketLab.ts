import { createAccountRegister } from "../../../../src/simulator/accounts/accountRegister.ts";
import { createVenueNews, createTradingVenue } from "../../../../src/simulator/wire/parts.ts";
import { MONEY } from "../conversation.ts";
import { toSteps } from "../../../../src/exchange/units.ts";
import { ACCOUNTS } from "../../../../src/simulator/accounts/accounts.ts";
import type { SimulatedInstrument } from "../../../../src/simulator/market/instruments.ts";
import { createListing } from "../../../../src/simulator/market/listing.ts";
import { createMarket, type Market } from "../../../../src/simulator/market/market.ts";
import { repeat } from "../../../../src/simulator/market/repeat.ts";
import type { SimulatedConnection } from "../../../../src/simulator/sessions/connection.ts";
import { findMarketChannel } from "../../../../src/simulator/sessions/marketChannels.ts";
import { createPublisher } from "../../../../src/simulator/sessions/publisher.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";

/** A market with its venue and a subscriber; the only account is that of the trader. */
export interface MarketLab {
  readonly clock: FakeClock;
  readonly market: Market;
  /** Trades with whoever offers, at the best price, as the first account. */
  readonly take: (name: string, direction: "buy" | "sell", amount: number) => void;
  /** Places an order that rests. Returns its ID. */
  rest(
    name: string,
    terms: { readonly direction: "buy" | "sell"; readonly amount: number; readonly price: number },
  ): string;
  cancel(name: string, orderId: string): void;
  /** Subscribes to a channel. Returns the events that have come since the last call, the payloads alone. */
  listen(channel: string): <T = Record<string, unknown>>() => T[];
  /** Sends what is waiting. */
  flush(): Promise<void>;
}

/** The start of a lab, unless it says otherwise. */
export const START_MS = Date.UTC(2026, 10, 20, 12);

const LISTED = createListing(START_MS).instruments;

/** Returns an instrument that is listed at this start. */
export function instrumentNamed(name: string): SimulatedInstrument {
  const instrument = LISTED.get(name);
  if (instrument === undefined) throw new RangeError(`There is no instrument ${name}.`);
  return instrument;
}

export function createMarketLab({ seed = 1, isStill = false, startMs = START_MS } = {}): MarketLab {
  const clock = createFakeClock(startMs);
  const publisher = createPublisher(clock, (text) => text);
  const venue = createTradingVenue({
    ...{ clock, seed, publisher, account: MONEY, news: createVenueNews() },
    accounts: createAccountRegister(ACCOUNTS, startMs),
    listing: createListing(startMs),
  });
  const market = createMarket({ seed, venue });
  const account = String(ACCOUNTS[0].id);
  venue.setStill(isStill);
  if (!isStill)
    repeat(
      clock,
      () => 1000,
      () => {
        publisher.touch();
        publisher.flush();
      },
    );
  const received: { readonly channel: string; readonly data: unknown }[] = [];
  const connection: SimulatedConnection = {
    number: 1,
    link: "webSocket",
    outlet: {
      send: (text) => {
        received.push((JSON.parse(text) as { readonly params: (typeof received)[number] }).params);
      },
      close: () => undefined,
      terminate: () => undefined,
    },
    authorisation: undefined,
    client: undefined,
  };
  const place: MarketLab["rest"] = (name, { direction, amount, price }) => {
    const { tick, lot } = market.terms(instrumentNamed(name));
    const outcome = venue.operate(name, (engine, nowMs) =>
      engine.place(
        {
          account,
          instrument: name,
          direction,
          amount: toSteps(amount, lot) ?? 0,
          price: toSteps(price, tick) ?? 0,
        },
        nowMs,
      ),
    );
    if (!outcome.isDone) throw new Error(`Refused: ${JSON.stringify(outcome.refusal)}`);
    return outcome.order.id;
  };
  return {
    clock,
    market,
    rest: place,
    take(name, direction, amount) {
      const { max, min } = market.band(instrumentNamed(name));
      const { tick } = market.terms(instrumentNamed(name));
      const price = ((direction === "buy" ? max : min) * tick.mantissa) / 10 ** tick.decimals;
      place(name, { direction, amount, price });
    },
    cancel(name, orderId) {
      venue.operate(name, (engine, nowMs) => engine.cancel(account, orderId, nowMs));
    },
    listen(channel) {
      const found = findMarketChannel(channel, market, ({ name: instrument_name }) => ({ instrument_name }));
      if (found === undefined) throw new RangeError(`There is no channel ${channel}.`);
      publisher.subscribe(connection, found, { label: undefined, owner: undefined });
      let seen = 0;
      return <T>() => {
        const own = received.filter((each) => each.channel === channel).slice(seen);
        seen += own.length;
        return own.map(({ data }) => data as T);
      };
    },
    async flush() {
      publisher.flush();
      await clock.advance(0);
    },
  };
}
