import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { isDeepStrictEqual } from "node:util";
import type { Random } from "../../../src/base/clock.ts";
import { isResult, readRow, type RowOf } from "../../../src/catalogue/index.ts";
import { listOrders, LONGEST_LISTED_TEXT, type ListedOrder, type OrderList } from "../../../src/rpc/orderList.ts";
import { scanWireText } from "../../../src/rpc/maskSecrets.ts";
import { hasRepeatedNames } from "../../../src/rpc/scanJson.ts";
import { createFakeRandom } from "../../fakeClock.ts";
import { rounds } from "../../rounds.mjs";
import { pick } from "../fuzz/frameMaker.ts";

/* Lists that are proven order by order against the same lists parsed and looked at as a whole. */

const LISTS = rounds({ short: 3000, full: 50_000, long: 2_000_000 });
const SEED = Number(process.env["RPC_SEED"] ?? 1);
const METHOD = "private/get_open_orders";

/** The members of an order and their values, as JSON: of the exchange, and of one that is odd. */
const MEMBERS: readonly (readonly [string, readonly string[]])[] = [
  ["order_id", ['"BTC-1"', '"ETH-58400000013"', '"ETH-SLTS-5670892"']],
  ["instrument_name", ['"BTC-PERPETUAL"', '"ETH-25DEC26-4000-C"', '"X:Y"']],
  ["order_state", ['"open"', '"untriggered"', '"filled"', '"a_new_state"']],
  ["direction", ['"buy"', '"sell"']],
  ["amount", ["10", "0.1", "1e21", "-0", "123456789012345678901"]],
  ["price", ["50000", "0.0005", '"market_price"', "1e2", "null"]],
  ["label", ['""', '"a/b"', '"{}"', '"[,]"', `"${"x".repeat(LONGEST_LISTED_TEXT)}"`]],
  ["post_only", ["true", "false", "null"]],
  ["creation_timestamp", ["1794000000000", "0", "1794000000001"]],
  ["last_update_timestamp", ["1794000000000", "1794000060000"]],
  ["a_later_member", ['"x"', "1", "1.5", "true", "null"]],
];
const ODD_MEMBERS: readonly (readonly [string, readonly string[]])[] = [
  ["order_id", ["1", "null", '"\\u0041"', `"${"x".repeat(LONGEST_LISTED_TEXT + 1)}"`]],
  ["creation_timestamp", ["1.5", "-1", "9007199254740993", '"1"', "1e3"]],
  ["last_update_timestamp", ["1.5"]],
  ["label", ['"a secret\\""', '"}"', '"\n"', '"\u2028"', '"\ud800"', '"access_token"']],
  ["oto_order_ids", ['["a"]', "{}"]],
  ["secret", ['"a-secret-value"']],
  ["__proto__", ["{}", "1"]],
  ["1", ["1"]],
  ["a b", ["1"]],
  ["amount", ["1e400", "01", "+1", ".5", "NaN"]],
];
const PIECES = ['"', "\\", "{", "}", "[", "]", ",", ":", " ", "0", "e", "\n", '"label":"x",', '"secret":"x",', "{},"];

function madeOrder(random: Random): string {
  const isKept = (name: string): boolean => random() < (/order_id|instrument|creation/.test(name) ? 0.995 : 0.95);
  const members = MEMBERS.filter(([name]) => isKept(name)).map(
    ([name, values]) => `"${name}":${random() < 0.7 ? (values[0] ?? "") : pick(random, values)}`,
  );
  if (random() < 0.02) {
    const [name, values] = pick(random, ODD_MEMBERS);
    members.splice(Math.floor(random() * (members.length + 1)), 0, `"${name}":${pick(random, values)}`);
  }
  return `{${members.join(",")}}`;
}

/** A list of orders: mostly whole, else with a piece more, a part twice, or a part less. */
function madeList(random: Random): string {
  const text = `[${Array.from({ length: Math.floor(random() * 6) }, () => madeOrder(random)).join(",")}]`;
  const at = Math.floor(random() * text.length);
  const end = at + 1 + Math.floor(random() * random() * 60);
  const kind = random();
  if (kind < 0.6) return text;
  if (kind < 0.8) return text.slice(0, at) + pick(random, PIECES) + text.slice(at);
  return kind < 0.9 ? text.slice(0, at) + text.slice(end) : text.slice(0, end) + text.slice(at);
}

const longestIn = (value: unknown): number =>
  typeof value === "string"
    ? value.length
    : typeof value === "object" && value !== null
      ? Math.max(0, ...Object.entries(value).map(([name, part]) => Math.max(name.length, longestIn(part))))
      : 0;

/** What is wrong with a list that was taken for proven; undefined where a whole reading says the same. */
function differenceOf(text: string, list: OrderList): string | undefined {
  const rows = JSON.parse(text) as Record<string, unknown>[];
  const scan = scanWireText(text);
  if (scan.problem !== undefined || scan.secrets.length > 0 || hasRepeatedNames(scan, rows)) return "it is not plain";
  if (longestIn(rows) > LONGEST_LISTED_TEXT) return "a text is longer";
  if (isResult(METHOD, rows) !== isResult(METHOD, list.samples)) return "its shape is another one";
  return differenceOfRows(rows, list);
}

function differenceOfRows(rows: readonly unknown[], { byInstrument, count }: OrderList): string | undefined {
  if (count !== rows.length || byInstrument.flat().length !== count) return "the number of orders";
  const listed = new Map(byInstrument.map((orders) => [orders[0]?.instrumentName, [...orders]]));
  for (const row of rows) {
    const read = readRow("order", row);
    const order = listed.get(read?.instrument_name ?? "")?.shift();
    if (read === undefined || order === undefined) return "a row that is no order";
    if (!isDeepStrictEqual(knownOf(order), factsOf(read))) return "what is known without parsing";
    if (!isDeepStrictEqual(order.order, read) || order.order !== order.order) return "a parsed order";
  }
  return undefined;
}

function knownOf({ id, instrumentName, createdAtMs, sample }: ListedOrder): readonly unknown[] {
  return [id, instrumentName, createdAtMs, sample.order_state, ...Object.keys(sample)];
}

function factsOf(order: RowOf<"order">): readonly unknown[] {
  const { order_id: id, instrument_name: name, creation_timestamp: createdAtMs, order_state: state } = order;
  return [id, name, createdAtMs, state, ...Object.keys(order)];
}

/** Whether a text was taken for a list that is proven; fails where a whole reading says something else. */
function isListed(text: string): boolean {
  const list = listOrders(text);
  if (list === undefined) return false;
  const difference = differenceOf(text, list);
  if (difference !== undefined) assert.fail(`Proven, but ${difference}, seed ${String(SEED)}: ${JSON.stringify(text)}`);
  return true;
}

const order = (members = ""): string =>
  `{"order_id":"BTC-1","instrument_name":"BTC-PERPETUAL","order_state":"open","amount":10${members},"creation_timestamp":1}`;

describe("a list of orders that is not parsed", () => {
  test("what it proves, a whole reading finds, too", async ({ annotate }) => {
    await annotate(`${String(LISTS)} lists, RPC_SEED=${String(SEED)}`);
    const random = createFakeRandom(SEED);
    let listed = 0;
    for (let number = 0; number < LISTS; number++) if (isListed(madeList(random))) listed++;
    assert.ok(listed > LISTS / 4 && listed < (LISTS * 3) / 4, `${String(listed)} of ${String(LISTS)} are proven`);
  });

  test("it refuses what only a whole reading can judge", () => {
    assert.equal(isListed("[]"), true);
    assert.equal(isListed(`[${order()}]`), true);
    assert.equal(isListed(`[${order()},${order(',"label":"x"')},${order(',"price":null')}]`), true);
    const refused = {
      "a name twice": order(',"amount":10'),
      "a secret name": order(',"secret":"x"'),
      "an escape": order(',"label":"\\u0061"'),
      "a long text": order(`,"label":"${"x".repeat(LONGEST_LISTED_TEXT + 1)}"`),
      "a list in an order": order(',"oto_order_ids":["a"]'),
      "an object in an order": order(',"more":{}'),
      "a bracket in the first order": order(',"label":"}"'),
      "a number that is none": order(',"price":01'),
      "a number that is too large": order(',"price":1e400'),
      "a text for a number": order(',"max_show":"10"'),
      "no instrument": order().replace('"instrument_name":"BTC-PERPETUAL",', ""),
      "what is no order": "{}",
      "a number": "1",
    };
    for (const [why, odd] of Object.entries(refused)) {
      assert.equal(isListed(`[${odd}]`), false, why);
      assert.equal(isListed(`[${order()},${odd}]`), false, `${why}, after an order`);
    }
    for (const text of [
      `[${order()}`,
      `[${order()},]`,
      `[${order()}] `,
      ` [${order()}]`,
      `[${order()}${order()}]`,
      order(),
    ])
      assert.equal(isListed(text), false, text);
  });

  test("it takes sixteen shapes, and a list with more is read whole", () => {
    const shapes = (count: number): string =>
      `[${Array.from({ length: count }, (_, index) => order(`,"more_${String(index)}":1`)).join(",")}]`;
    assert.equal(isListed(shapes(16)), true);
    assert.equal(isListed(shapes(17)), false);
  });
});
