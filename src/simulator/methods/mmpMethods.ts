import type { ParamsOf } from "../../catalogue/index.ts";
import { MMP_INDEXES } from "../../catalogue/values.ts";
import { invalidParam } from "../text/errors.ts";
import { handlersOf } from "./handlers.ts";
import { freezeReason, type Mmp } from "../accounts/mmp.ts";
import { writeJson } from "../text/json.ts";
import { announcePortfolio } from "../accounts/portfolioEvents.ts";
import { futureOf } from "../accounts/protectedOrders.ts";

type Limits = ParamsOf<"private/set_mmp_config">;

/** Makes the methods of market maker protection. */
export const mmpHandlers = handlersOf(({ id, mmp, venue, publisher }) => {
  return {
    "private/get_mmp_config": ({ params }) => {
      refuseUnknown(params.index_name);
      return writeJson(mmp.configs(params));
    },
    "private/get_mmp_status": ({ params }) => {
      refuseUnknown(params.index_name);
      return `[${mmp.frozen(params).map(freezeReason).join(",")}]`;
    },
    "private/set_mmp_config": ({ params }) => {
      refuseUnknown(params.index_name);
      refuseLimits(params);
      if (params.mmp_group === "") throw invalidParam("mmp_group", "can't be empty");
      if (params.mmp_group !== undefined && params.block_rfq !== true) refuseGroup(mmp, params, params.mmp_group);
      const made = mmp.configure(params);
      // The margin of the limits is another one now.
      const currency = futureOf(venue, params.index_name)?.settlementCurrency;
      if (currency !== undefined) announcePortfolio({ publisher, venue }, id, currency);
      return writeJson(made);
    },
    "private/reset_mmp": ({ params }) => {
      refuseUnknown(params.index_name);
      if (params.index_name === "all" && params.block_rfq !== true)
        throw invalidParam("index_name", "all is only for block_rfq");
      // Left out, the group is that of regular orders.
      mmp.reset({ ...params, mmp_group: params.mmp_group ?? (params.block_rfq === true ? undefined : "") });
      return '"ok"';
    },
  };
});

const LIMITS = ["quantity_limit", "delta_limit", "vega_limit", "max_quote_quantity"] as const;
const DECIMALS = 4;

/**
 * Refuses limits that no configuration can have. Those of times and signs are in the catalogue.
 * https://docs.deribit.com/api-reference/trading/private-set_mmp_config
 */
function refuseLimits(params: Limits): void {
  const isRfq = params.block_rfq === true;
  for (const name of LIMITS) if (!hasFewDecimals(params[name])) throw invalidParam(name, "at most 4 decimals");
  if (params.trade_count_limit !== undefined && !isRfq) throw invalidParam("trade_count_limit", "only for block_rfq");
  if (params.index_name === "all" && !isRfq) throw invalidParam("index_name", "invalid index_name");
  if (!isRfq) refuseQuantity(params);
}

/** The largest quantity limits, in coins. https://docs.deribit.com/articles/mass-quotes-specifications */
const LARGEST_QUANTITY: readonly (readonly [pair: RegExp, coins: number])[] = [
  [/^btc_/, 500],
  [/^eth_/, 5000],
];

function refuseQuantity({ index_name: index, quantity_limit: quantity = 0 }: Limits): void {
  const [, largest = Infinity] = LARGEST_QUANTITY.find(([pair]) => pair.test(index)) ?? [];
  if (quantity > largest) throw invalidParam("quantity_limit", `must be less than or equal to ${largest}`);
}

/** How many groups an account may have, those of regular orders and of Block RFQ quotes left out. */
const MOST_GROUPS = 16;

/**
 * Refuses a group of mass quotes that the account cannot have. A name belongs to one index.
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */
function refuseGroup(mmp: Mmp, { index_name: index, interval, ...limits }: Limits, group: string): void {
  const { quantity_limit: quantity = 0, delta_limit: delta = 0 } = limits;
  if (delta > 0 && quantity > 0 && delta >= quantity)
    throw invalidParam("delta_limit", "must be less than quantity_limit");
  const groups = mmp.configs({}).filter(({ mmp_group: name }) => name !== undefined);
  const known = groups.find(({ mmp_group: name }) => name === group);
  if (known !== undefined && known.index_name !== index)
    throw invalidParam("mmp_group", `already used for ${known.index_name}`);
  if (known === undefined && interval > 0 && groups.length >= MOST_GROUPS)
    throw invalidParam("mmp_group", `at most ${MOST_GROUPS} groups`);
}

function hasFewDecimals(value: number | undefined): boolean {
  return value === undefined || Number(value.toFixed(DECIMALS)) === value;
}

function refuseUnknown(index: string | undefined): void {
  if (index !== undefined && !(MMP_INDEXES as readonly string[]).includes(index))
    throw invalidParam("index_name", "invalid index_name");
}
