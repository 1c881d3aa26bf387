/**
 * Members of orders that the exchange documents and the simulator never writes, because it has nothing that they tell
 * of: each with its value as JSON. `max_show` is an earlier name of `display_amount`.
 * https://docs.deribit.com/api-reference/trading/private-get_open_orders
 */
export const UNSIMULATED_ORDER_MEMBERS: Readonly<Record<string, string>> = {
  max_show: "5000",
  mobile: "true",
  app_name: '"options-desk"',
  advanced: '"implv"',
  implv: "44.5",
  usd: "6250",
  auto_replaced: "true",
  block_trade: "false",
  // A number that JavaScript's own cannot hold.
  starbase_order_id: "9007199254740993",
};

/** Gives these members to every order in a text from the exchange. */
export function withUnsimulatedMembers(text: string): string {
  const members = Object.entries(UNSIMULATED_ORDER_MEMBERS).map(([name, value]) => `"${name}":${value},`);
  return text.replaceAll('"order_state":', () => `${members.join("")}"order_state":`);
}
