import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { contributes, texts } from "../../src/manifest/contributes.ts";

/*
 * What the Command Palette lists in three situations. A command is listed where it can act: the commands about one item
 * are in the menus of that item, and whatever needs a connection appears once there is one.
 */

interface Manifest {
  readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[];
  readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
}

const manifest = contributes() as Manifest;

/** Whether a condition holds in a situation: the context keys that are set, and the name of the active file. */
function holds(condition: string, keys: ReadonlySet<string>, file: string): boolean {
  return condition.split(" && ").every((term) => {
    const pattern = /^resourceFilename =~ \/(.*)\/$/.exec(term)?.[1];
    if (pattern !== undefined) return new RegExp(pattern).test(file);
    if (/ == /.test(term) || term === "false") return false;
    // A view that has not been read yet may have something; one that has nothing is told by its whole term.
    if (/ != /.test(term)) return !keys.has(term.replace("!=", "=="));
    return term.startsWith("!") ? !keys.has(term.slice(1)) : keys.has(term);
  });
}

/** The commands that the Command Palette lists, by their IDs without the prefix. */
function listed(keys: readonly string[], file = ""): string[] {
  const set = new Set(keys);
  const conditions = new Map(manifest.menus.commandPalette.map(({ command, when }) => [command, when]));
  return manifest.commands
    .filter(
      ({ command, enablement }) =>
        holds(conditions.get(command) ?? "", set.add(""), file) && holds(enablement ?? "", set.add(""), file),
    )
    .map(({ command }) => command.replace("tradingRpc.", ""))
    .sort();
}

/** The view that is there until something is connected. */
const AT_FIRST = ["view.tradingRpc.start.visible"];

/** What is known with the built-in simulator, and a testnet and a production connection on which trading is allowed. */
const CONNECTED = [
  "view.tradingRpc.orders.visible",
  "view.tradingRpc.positions.visible",
  "view.tradingRpc.account.visible",
  ...["isConnected", "hasAccount", "hasOwnConnection", "offersTrading", "hasActivity", "hasUnknownOutcome"].map(
    (key) => `tradingRpc.${key}`,
  ),
  ...["hasBuiltInSimulator", "mayAllowChanges", "mayAllowTrading", "tradingAllowed"].map((key) => `tradingRpc.${key}`),
];

const BEFORE_CONNECTING: readonly string[] = [
  "connection.add",
  "connection.connect",
  "connection.showActions",
  "example.open",
  "history.clear",
  "history.show",
  "log.show",
  "method.browse",
  "presentation.toggle",
  "request.new",
  "request.newFromRecording",
  "request.paste",
  "simulator.start",
  "simulator.startFromRecording",
  "supportFile.preview",
  "walkthrough.open",
];

const WHEN_CONNECTED: readonly string[] = [
  "account.filter",
  "account.refresh",
  "account.switch",
  "accountHistory.show",
  "activity.checkAgain",
  "activity.export",
  "activity.setAside",
  "activity.showUnresolved",
  "apiKey.changeScope",
  "apiKey.create",
  "apiKey.createKeyPair",
  "apiKey.disable",
  "apiKey.edit",
  "apiKey.enable",
  "apiKey.reset",
  "connection.allowChanges",
  "connection.allowTrading",
  "connection.disallowTrading",
  "connection.disconnect",
  "connection.edit",
  "connection.forget",
  "connection.shareWithAgents",
  "lastTrades.show",
  "lastTrades.showWithParameters",
  "mmp.reset",
  "mmp.setLimits",
  "order.cancel",
  "order.cancelAllFromTitle",
  "order.cancelEverything",
  "order.cancelGroupFromTitle",
  "order.edit",
  "order.place",
  "orders.filter",
  "orders.groupBy",
  "orders.pause",
  "orders.refresh",
  "orders.sortBy",
  "position.close",
  "position.flatten",
  "position.protect",
  "position.reduce",
  "positions.filter",
  "positions.refresh",
  "positions.sortBy",
  "quote.cancel",
  "quote.cancelAllFromTitle",
  "simulator.injectFault",
  "simulator.toggleDemo",
  "traffic.record",
  "traffic.show",
];

const IN_A_REQUEST_FILE: readonly string[] = [
  "request.chooseTarget",
  "request.copyAsCode",
  "request.copyAsCurl",
  "request.pin",
  "request.resend",
  "request.send",
  "request.sendAll",
  "request.sendFromHere",
  "request.sendReads",
  "request.showVariables",
  "request.stop",
];

describe("the Command Palette lists", () => {
  test("what can be done before connecting", () => {
    assert.deepEqual(listed(AT_FIRST), BEFORE_CONNECTING);
  });

  test("what a connection adds", () => {
    const before = new Set(BEFORE_CONNECTING);
    assert.deepEqual(
      listed(CONNECTED).filter((each) => !before.has(each)),
      WHEN_CONNECTED,
    );
    assert.ok(BEFORE_CONNECTING.every((each) => listed(CONNECTED).includes(each)));
  });

  test("without an API key, nothing about an account, and nothing about permissions", () => {
    const before = new Set(BEFORE_CONNECTING);
    assert.deepEqual(
      listed(["tradingRpc.isConnected", "tradingRpc.hasOwnConnection"]).filter((each) => !before.has(each)),
      [
        "connection.disconnect",
        "connection.edit",
        "connection.forget",
        "connection.shareWithAgents",
        "lastTrades.show",
        "lastTrades.showWithParameters",
        "orders.pause",
        "traffic.record",
        "traffic.show",
      ],
    );
  });

  test("no command on an order, a position, a quote, a group, or a key where a list is known to have none", () => {
    const empty = ["orders.content == noOrders", "positions", "quotes", "mmp", "apiKeys"].map(
      (view) => `tradingRpc.${view.includes(" ") ? view : `${view}.content == none`}`,
    );
    const left = listed([...CONNECTED, ...empty]);
    assert.deepEqual(
      WHEN_CONNECTED.filter((each) => !left.includes(each)),
      [
        "apiKey.changeScope",
        "apiKey.disable",
        "apiKey.edit",
        "apiKey.enable",
        "apiKey.reset",
        "mmp.reset",
        "order.cancel",
        "order.cancelGroupFromTitle",
        "order.edit",
        "position.close",
        "position.reduce",
        "quote.cancel",
      ],
    );
    // The ways out stay: a list may be wrong.
    for (const id of ["order.cancelAllFromTitle", "order.cancelEverything", "quote.cancelAllFromTitle"])
      assert.ok(left.includes(id), id);
  });

  test("what a request file adds", () => {
    const before = new Set(BEFORE_CONNECTING);
    assert.deepEqual(
      listed(AT_FIRST, "orders.rpc.json").filter((each) => !before.has(each)),
      IN_A_REQUEST_FILE,
    );
  });

  test("few enough commands to read", () => {
    assert.ok(BEFORE_CONNECTING.length <= 16, "sixteen before connecting");
    const isFirst = (key: string): boolean => !/mayAllow|tradingAllowed|hasOwn|hasActivity|hasUnknown/.test(key);
    assert.ok(listed(CONNECTED.filter(isFirst)).length <= 58, "at most 58 on the simulator");
    assert.ok(listed(CONNECTED).length <= 66, "at most 66 with everything");
  });

  test("no command whose condition cannot be told here", () => {
    for (const { command, when } of manifest.menus.commandPalette)
      assert.match(
        when,
        /^(?:false|!?[\w.]+|resource\w+ (?:==|=~) \S+)(?: && (?:!?[\w.]+|[\w.]+ != \w+|resource\w+ == \S+))*$/,
        command,
      );
  });
});

/* VS Code finds commands by the beginnings of words, and lists those used last first, then by label. */

const titles = new Map(
  manifest.commands.map(({ command, title }) => [
    command.replace("tradingRpc.", ""),
    texts()[title.replaceAll("%", "")] ?? "",
  ]),
);

/** Whether a typed text finds a label: as it is, or each of its letters next, or at the beginning of a later word. */
function finds(typed: string, label: string): boolean {
  const [wanted, text] = [typed.toLowerCase(), label.toLowerCase()];
  const places = Array.from(text, (_, at) => at);
  const isSign = (at: number): boolean => !/[\p{L}\p{N}…]/u.test(text[at] ?? " ");
  const isStart = (at: number): boolean => at === 0 || isSign(at) || isSign(at - 1);
  const goesOn = (done: number, at: number): boolean =>
    done === wanted.length ||
    places.some(
      (next) =>
        next >= at && (next === at || isStart(next)) && text[next] === wanted[done] && goesOn(done + 1, next + 1),
    );
  return text.includes(wanted) || places.some((at) => isStart(at) && goesOn(0, at));
}

/** The commands that a typed text finds, in their order: with several selected orders, or in a request file. */
function found(typed: string, situation: "selection" | "file" = "file"): string[] {
  const label = (id: string): string => `Trading RPC: ${titles.get(id) ?? ""}`;
  const ids =
    situation === "file"
      ? listed(CONNECTED, "orders.rpc.json")
      : listed([...CONNECTED, "tradingRpc.orders.severalSelected"]);
  return ids.filter((id) => finds(typed, label(id))).sort((one, other) => label(one).localeCompare(label(other)));
}

/** The commands that act on several objects at once. */
const ON_SEVERAL: readonly string[] = [
  "order.cancelAllFromTitle",
  "order.cancelEverything",
  "order.cancelGroupFromTitle",
  "order.cancelSelectedFromTitle",
  "position.flatten",
  "quote.cancelAllFromTitle",
  "request.sendAll",
];

describe("what is typed in the Command Palette", () => {
  for (const [typed, first] of Object.entries({
    Cancel: "quote.cancel",
    "Cancel Order": "order.cancel",
    "Cancel Block RFQ Quote": "quote.cancel",
    "Cancel Quote": "quote.cancel",
    "cancel all": "order.cancelAllFromTitle",
    "Cancel Everything": "order.cancelEverything",
    "Close Position": "position.close",
    "Reduce Position": "position.reduce",
    "Take Profit": "position.protect",
    "Place Order": "order.place",
    "Edit Order": "order.edit",
    "Disable API Key": "apiKey.disable",
    "Enable API Key": "apiKey.enable",
    "Reset API Key": "apiKey.reset",
    "Reset MMP": "mmp.reset",
    "Remove Connection": "connection.forget",
    "Share Connection with Agents": "connection.shareWithAgents",
    "Allow Changes": "connection.allowChanges",
    "Allow Trading": "connection.allowTrading",
    // Reads change nothing.
    "Send Request": "request.sendReads",
  }))
    test(`"${typed}" finds ${first} first`, () => {
      assert.equal(found(typed)[0], first);
    });

  for (const situation of ["selection", "file"] as const)
    test(`with a ${situation}, finds a command on several objects first only where nothing else has its words`, () => {
      const typed = new Set(
        [...titles.values()].flatMap((title) => {
          const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
          return words.flatMap((_, from) =>
            words.slice(from).map((_word, to) => words.slice(from, from + to + 1).join(" ")),
          );
        }),
      );
      for (const text of typed) {
        // "Trade" begins like our category, and so finds whatever has a word with e: that is no word of a command.
        const [first = "", ...others] = found(text, situation).filter((id) => finds(text, titles.get(id) ?? ""));
        const isAlone = others.every((each) => ON_SEVERAL.includes(each));
        assert.ok(!ON_SEVERAL.includes(first) || isAlone, `${text}: ${first}, ${others.join(", ")}`);
      }
    });

  test("never finds one on several objects by the title of one on a single object, even if that was used last", () => {
    for (const id of ["order.cancel", "quote.cancel", "order.edit", "order.place", "request.send"]) {
      const typed = (titles.get(id) ?? "").replace("…", "");
      assert.deepEqual(
        [found(typed).includes(id), found(typed).filter((each) => ON_SEVERAL.includes(each))],
        [true, []],
      );
    }
  });
});
