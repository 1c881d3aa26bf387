import { CURRENCY_NAMES } from "../market/currencies.ts";
import type { Venue } from "../market/venue.ts";
import type { Channel, ChannelTopic } from "../sessions/channels.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { writeJson } from "../text/json.ts";
import type { AccountRegister } from "./accountRegister.ts";
import { portfolioMembers } from "./portfolio.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { LiquidationChange } from "../../exchange/liquidation/liquidations.ts";

/** What events of portfolios are made from. */
interface PortfolioPorts {
  readonly publisher: Publisher;
  readonly venue: Venue;
}

/** Announces what an account has in a currency now, once for all changes until the next flush. */
export function announcePortfolio({ publisher, venue }: PortfolioPorts, account: number, currency: string): void {
  if (!publisher.isHeard("portfolio")) return;
  // Of isolated margin, the main account hears of several subaccounts on one channel.
  const owner = publisher.mainOf(account) === undefined ? {} : { user_id: account };
  const text = (): string => writeJson({ ...portfolioMembers(venue, account, currency), ...owner });
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

/** Announces what moves with the mark prices: what accounts with positions have. */
export function announceOpenPortfolios(ports: PortfolioPorts & { readonly accounts: AccountRegister }): void {
  if (ports.publisher.isHeard("portfolio")) for (const { id } of ports.accounts.all()) announceOpen(ports, id);
}

function announceOpen(ports: PortfolioPorts, account: number): void {
  const open = ports.venue.ledger.positions(String(account)).filter(({ size }) => size !== 0n);
  for (const currency of new Set(open.map(({ instrument }) => instrument.settlementCurrency)))
    announcePortfolio(ports, account, currency);
}

/**
 * Announces to an account that its liquidation began or ended, with what it has in the currency by then.
 * https://docs.deribit.com/subscriptions/user/userliquidation
 */
export function announceLiquidation(
  { publisher, venue }: { readonly publisher: Publisher; readonly venue: Venue },
  { account, currency, state, atMs }: LiquidationChange,
): void {
  const text = (): string => {
    const { marginBalance, maintenanceMargin, initialMargin, equity } = venue.ledger.summary(account, currency);
    return writeJson({
      state: `liquidation_${state}`,
      user_id: Number(account),
      currency,
      margin_balance: numberOf(marginBalance),
      maintenance_margin: numberOf(maintenanceMargin),
      initial_margin: numberOf(initialMargin),
      equity: numberOf(equity),
      timestamp: atMs,
    });
  };
  publisher.add("liquidation", text, { name: "", currencies: [] }, Number(account));
}
