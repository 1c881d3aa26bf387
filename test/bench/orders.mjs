// @ts-check
/**
 * Open orders as the exchange writes them: 25 to 28 members, about 540 bytes each, a tenth of them trigger orders, 258
 * instruments.
 */

export const INSTRUMENTS = [
  ...["BTC", "ETH", "SOL"].map((currency) => `${currency}-PERPETUAL`),
  ...["BTC", "ETH"].flatMap((currency) =>
    ["28NOV26", "25DEC26", "26MAR27"].flatMap((expiry) =>
      Array.from({ length: 21 }, (_, step) =>
        ["C", "P"].map((side) => `${currency}-${expiry}-${(step + 10) * (currency === "BTC" ? 5000 : 250)}-${side}`),
      ).flat(),
    ),
  ),
  ...["BTC", "ETH", "SOL"].map((currency) => `${currency}-28NOV26`),
];

/** What the exchange says of an instrument, as far as clients read it. @param {string} name */
export function instrumentOf(name) {
  const [base = "", date = "", strike, side] = name.split("-");
  const kind = strike === undefined ? "future" : "option";
  const isPerpetual = date === "PERPETUAL";
  return {
    instrument_name: name,
    kind,
    ...{
      base_currency: base,
      quote_currency: "USD",
      settlement_currency: base,
      counter_currency: "USD",
      instrument_type: "reversed",
    },
    settlement_period: isPerpetual ? "perpetual" : "month",
    expiration_timestamp: isPerpetual
      ? 32_503_708_800_000
      : Date.parse(`${date.slice(0, 2)} ${date.slice(2, 5)} 20${date.slice(5)} 08:00 UTC`),
    ...(kind === "option" && { strike: Number(strike), option_type: side === "C" ? "call" : "put" }),
    ...{
      tick_size: 0.5,
      min_trade_amount: 10,
      contract_size: 10,
      maker_commission: 0,
      taker_commission: 0.0005,
      is_active: true,
    },
    creation_timestamp: 1_790_000_000_000,
  };
}

/** Later than any order's first change: each update counts on from here. */
export const FIRST_STAMP = 1_795_000_000_000;

/** @param {number} index */
export function orderOf(index) {
  const instrument = /** @type {string} */ (INSTRUMENTS[(index * 31) % INSTRUMENTS.length]);
  const isBuy = index % 2 === 0;
  const placed = 1_794_000_000_000 + index * 7919;
  const order = {
    order_id: `${instrument.slice(0, 3)}-${58_400_000_000 + index * 13}`,
    instrument_name: instrument,
    order_state: "open",
    direction: isBuy ? "buy" : "sell",
    amount: 10 + (index % 400) * 10,
    filled_amount: 1000,
    average_price: 0,
    price: 1000 + (index % 9000) * 0.5,
    order_type: "limit",
    time_in_force: "good_til_cancelled",
    contracts: 1 + (index % 400),
    max_show: 10 + (index % 400) * 10,
    label: `strategy-${index % 17}/leg-${index % 5}`,
    reduce_only: index % 11 === 0,
    post_only: index % 3 === 0,
    reject_post_only: false,
    api: true,
    web: false,
    mmp: false,
    risk_reducing: false,
    is_rebalance: false,
    is_liquidation: false,
    replaced: index % 7 === 0,
    creation_timestamp: placed,
    last_update_timestamp: placed + 60_000,
  };
  if (index % 10 !== 9) return order;
  return {
    ...order,
    order_state: "untriggered",
    order_type: "stop_limit",
    triggered: false,
    trigger: "index_price",
    trigger_price: order.price + 5,
  };
}

/** @param {number} count */
export const ordersText = (count) =>
  `[${Array.from({ length: count }, (_, index) => JSON.stringify(orderOf(index))).join(",")}]`;
