import { fixedOf, numberOf } from "../../exchange/ledger/money.ts";
import type { AccountSummary } from "../../exchange/ledger/summary.ts";
import { portfolioOf } from "../accounts/portfolio.ts";
import type { WireMembers } from "../market/positions.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusalError } from "../text/refusals.ts";
import { invalidParam } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";

/** Makes the methods about the margin of positions that an account could have, and about the model of its margin. */
export function marginModelMethods({
  id,
  accounts,
  venue,
}: HandlerPorts): Pick<MethodHandlers, "private/simulate_portfolio" | "private/change_margin_model"> {
  const account = String(id);
  return {
    "private/simulate_portfolio": ({ params: { currency, add_positions: isAdded = true, simulated_positions } }) => {
      refuseUnknownCurrency(currency);
      venue.catchUp([]);
      const sizes = new Map(readSizes(simulated_positions).map(([name, size]) => [name, fixedOf(size)]));
      for (const name of sizes.keys())
        if ((venue.instrument(name)?.kind ?? "spot") === "spot")
          throw invalidParam("simulated_positions", "invalid instrument");
      const { summary, positions } = venue.ledger.simulate(account, currency, { isAdded, sizes });
      return writeJson({
        ...portfolioOf(summary, positions, venue.marketMs),
        available_subaccount_transfer_funds: numberOf(summary.availableWithdrawalFunds),
      });
    },
    "private/change_margin_model": ({ params: { user_id: userId = id, margin_model: model }, authorisation }) => {
      const isAllowed = userId === authorisation?.subject || authorisation?.subject === accounts.main.id;
      if (!isAllowed || accounts.find(userId) === undefined) throw invalidParam("user_id", "invalid user_id");
      const refused = venue.ledger.refusesMarginModel(model);
      if (refused !== undefined) throw refusalError(refused, undefined);
      venue.catchUp([]);
      // There is one model, so that no change makes any difference, with a dry run or without.
      return writeJson(
        venue.ledger.currencies(String(userId)).map((currency) => {
          const state = marginState(venue.ledger.summary(String(userId), currency));
          return { currency, old_state: state, new_state: state };
        }),
      );
    },
  };
}

function marginState({ initialMargin, maintenanceMargin, equity, availableFunds }: AccountSummary): WireMembers {
  const rate = (margin: bigint): number => (equity === 0n ? 0 : numberOf(margin) / numberOf(equity));
  return {
    initial_margin_rate: rate(initialMargin),
    maintenance_margin_rate: rate(maintenanceMargin),
    available_balance: numberOf(availableFunds),
  };
}

/** Reads sizes by instrument: an object, or its JSON. */
function readSizes(given: unknown): [name: string, size: number][] {
  const sizes = Object.entries((typeof given === "string" ? parsed(given) : given) ?? {});
  if (!sizes.every((each): each is [string, number] => typeof each[1] === "number"))
    throw invalidParam("simulated_positions", "invalid format");
  return sizes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParam("simulated_positions", "invalid format");
  }
}
