import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { CURRENCY_NAMES } from "../market/currencies.ts";
import type { Venue } from "../market/venue.ts";
import type { Channel, ChannelTopic } from "../sessions/channels.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { writeJson } from "../text/json.ts";
import type { AccountRegister } from "./accountRegister.ts";
import { portfolioMembers } from "./portfolio.ts";

/** What events of portfolios are made from. */
export interface PortfolioPorts {
  readonly publisher: Publisher;
  /** Asked when an event leaves. */
  readonly venue: () => Venue;
}

/** Announces what an account has in a currency now, once for all changes until the next flush. */
export function announcePortfolio({ publisher, venue }: PortfolioPorts, account: number, currency: string): void {
  const text = (): string => writeJson(portfolioMembers(venue(), account, currency));
  publisher.addState("portfolio", text, topicOf(currency), account);
}

/** Announces everything that an account has to a channel that was just subscribed to. */
export function announcePortfolios(ports: PortfolioPorts, account: number, channel: Channel): void {
  for (const currency of CURRENCY_NAMES)
    if (channel.carries === "portfolio" && channel.matches(topicOf(currency)))
      announcePortfolio(ports, account, currency);
}

/** Channels name a currency in capitals or not, or any of them. */
function topicOf(currency: string): ChannelTopic {
  return { name: currency, currencies: [currency, currency.toLowerCase(), "any"] };
}

const PERIOD_MS = 1000;

/** Announces, once a second until disposed, what moves with the mark prices: what accounts with positions have. */
export function startPortfolioMotion(
  ports: PortfolioPorts & {
    readonly clock: Clock;
    readonly accounts: AccountRegister;
    /** Called when a moment's events are added. */
    readonly onMoved: () => void;
  },
): Disposable {
  const { publisher, venue, clock, accounts, onMoved } = ports;
  let timer: Disposable;
  const wait = (): void => {
    timer = clock.after(PERIOD_MS, () => {
      if (publisher.isHeard("portfolio")) {
        venue().catchUp([]);
        for (const { id } of accounts.all()) announceOpen(ports, id);
        onMoved();
      }
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

function announceOpen(ports: PortfolioPorts, account: number): void {
  const open = ports
    .venue()
    .ledger.positions(String(account))
    .filter(({ size }) => size !== 0n);
  for (const currency of new Set(open.map(({ instrument }) => instrument.settlementCurrency)))
    announcePortfolio(ports, account, currency);
}
