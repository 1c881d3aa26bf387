import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { contributes } from "../../src/manifest/contributes.ts";

/*
 * What the Command Palette lists in three situations. A command is listed where it can act: the commands about one item
 * are in the menus of that item, and whatever needs a connection appears once there is one.
 */

interface Manifest {
  readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
  readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
}

const manifest = contributes() as Manifest;

/** Whether a condition holds in a situation: the context keys that are set, and the name of the active file. */
function holds(condition: string, keys: ReadonlySet<string>, file: string): boolean {
  return condition.split(" && ").every((term) => {
    const pattern = /^resourceFilename =~ \/(.*)\/$/.exec(term)?.[1];
    if (pattern !== undefined) return new RegExp(pattern).test(file);
    if (/ == /.test(term) || term === "false") return false;
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

/** The views that are expanded at first. */
const AT_FIRST = ["view.tradingRpc.connections.visible", "view.tradingRpc.orders.visible"];

const BEFORE_CONNECTING: readonly string[] = [
  "activity.export",
  "activity.setAside",
  "activity.showUnresolved",
  "connection.add",
  "connection.connect",
  "connection.showActions",
  "connections.filter",
  "example.open",
  "history.clear",
  "history.show",
  "log.show",
  "method.browse",
  "orders.filter",
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
  "account.switch",
  "accountHistory.show",
  "activity.checkAgain",
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
  "lastTrades.show",
  "lastTrades.showWithParameters",
  "mmp.reset",
  "mmp.setLimits",
  "order.cancel",
  "order.cancelAll",
  "order.cancelEverything",
  "order.cancelGroup",
  "order.edit",
  "order.place",
  "orders.groupBy",
  "orders.pause",
  "orders.refresh",
  "orders.sortBy",
  "quote.cancel",
  "quote.cancelAll",
  "simulator.injectFault",
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
    const keys = [...AT_FIRST, "tradingRpc.isConnected", "tradingRpc.hasOwnConnection", "tradingRpc.offersTrading"];
    assert.deepEqual(
      listed(keys).filter((each) => !before.has(each)),
      WHEN_CONNECTED,
    );
    assert.ok(BEFORE_CONNECTING.every((each) => listed(keys).includes(each)));
  });

  test("what a request file adds", () => {
    const before = new Set(BEFORE_CONNECTING);
    assert.deepEqual(
      listed(AT_FIRST, "orders.rpc.json").filter((each) => !before.has(each)),
      IN_A_REQUEST_FILE,
    );
  });

  test("few enough commands to read", () => {
    assert.ok(BEFORE_CONNECTING.length <= 22, "about twenty before connecting");
    assert.ok(BEFORE_CONNECTING.length + WHEN_CONNECTED.length <= 57, "at most 57 when connected");
  });

  test("no command whose condition cannot be told here", () => {
    for (const { command, when } of manifest.menus.commandPalette)
      assert.match(
        when,
        /^(?:false|!?[\w.]+|resource\w+ (?:==|=~) \S+)(?: && (?:!?[\w.]+|resource\w+ == \S+))*$/,
        command,
      );
  });
});
