import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { readToPage, type ToPage } from "../../../../src/panel/messages.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { LastTradesPanelUi } from "../../../../src/ui/trades/panel.ts";
import { createWorld, type World } from "../../../world.ts";
import { useEditor } from "../../../editorStandIn.ts";

/* What the page of Last Trades can set off, in a window that stands in for VS Code's. */

const received = createEmitter<unknown>(() => undefined);
const nothing = createEmitter<unknown>(() => undefined);
let posted: ToPage[] = [];
const webview = {
  html: "",
  asWebviewUri: (uri: unknown) => uri,
  onDidReceiveMessage: received.event,
  async postMessage(message: unknown) {
    posted.push(readToPage(message) ?? assert.fail("the page would not understand it"));
    return await Promise.resolve(true);
  },
};

interface Lab {
  readonly world: World;
  readonly placed: unknown[];
  readonly setting: { isOffered: boolean };
  readonly changeSetting: () => void;
  /** Sends a message as the page would, and lets what follows happen. */
  readonly send: (message: unknown) => Promise<void>;
  /** Returns whether the page was last told to offer Place Order…. */
  readonly isOffered: () => boolean | undefined;
  /** Returns the number of a trade that the page shows. */
  readonly shownSeq: () => number;
  readonly end: () => void;
}

async function aLab(): Promise<Lab> {
  const { createLastTradesPanels } = await import("../../../../src/ui/trades/panel.ts");
  const world = createWorld();
  await world.connect();
  posted = [];
  const placed: unknown[] = [];
  const setting = { isOffered: true };
  const changes = createEmitter<undefined>(() => undefined);
  const opened = createEmitter<typeof world.live>(() => undefined);
  const liveConnections = {
    all: [world.live],
    find: () => world.live,
    onDidOpen: opened.event,
    onDidClose: opened.event,
  };
  const panels = createLastTradesPanels({
    ...{ clock: world.clock, times: createTimes(0), settings: { onDidChange: changes.event } },
    liveConnections: liveConnections as unknown as LastTradesPanelUi["liveConnections"],
    extensionUri: "" as unknown as LastTradesPanelUi["extensionUri"],
    screen: { hide: (text: string) => text, onDidChange: nothing.event } as unknown as LastTradesPanelUi["screen"],
    askParameters: async () => await Promise.resolve(undefined),
    openTrade: async () => await Promise.resolve(),
    mayPlace: () => setting.isOffered,
    placeOrder: async (_live, { instrument_name: name, trade_seq: seq, price }) => {
      await Promise.resolve(placed.push([name, seq, typeof price]));
    },
    showError: (error) => assert.fail(String(error)),
  });
  panels.show(world.live, { instrument_name: "ETH-PERPETUAL" });
  return {
    ...{ world, placed, setting },
    changeSetting: () => changes.fire(undefined),
    async send(message) {
      received.fire(message);
      await world.clock.advance(2000);
    },
    isOffered: () => posted.findLast((message) => message.kind === "trades")?.canPlace,
    shownSeq() {
      const rows = posted.flatMap((message) => {
        if (message.kind !== "trades") return [];
        return message.delta.kind === "reset" ? message.delta.model.rows : message.delta.newer.rows;
      });
      return rows[0]?.seq ?? assert.fail("the page shows no trade");
    },
    end() {
      panels.dispose();
      world.live.dispose();
    },
  };
}

describe("a trade on the page of Last Trades", () => {
  useEditor({
    window: {
      createWebviewPanel: () => ({
        ...{ visible: true, title: "", webview, reveal: () => undefined, dispose: () => undefined },
        ...{ onDidChangeViewState: nothing.event, onDidDispose: nothing.event },
      }),
    },
    Uri: { joinPath: (...parts: readonly string[]) => parts.join("/") },
    env: { language: "en" },
  });

  test("begins an order, by its number alone, where orders are offered", async () => {
    const lab = await aLab();
    await lab.send({ kind: "ready" });
    assert.equal(lab.isOffered(), true);
    const seq = lab.shownSeq();
    await lab.send({ kind: "place", seq, price: 1, instrument_name: "BTC-PERPETUAL" });
    assert.deepEqual(lab.placed, [["ETH-PERPETUAL", seq, "number"]]);
    await lab.send({ kind: "place", seq: seq + 1_000_000 });
    await lab.send({ kind: "place", seq: String(seq) });
    await lab.send({ kind: "buy", seq });
    assert.equal(lab.placed.length, 1);
    lab.end();
  });

  test("begins none where the setting offers none, whatever the page asks", async () => {
    const lab = await aLab();
    await lab.send({ kind: "ready" });
    const seq = lab.shownSeq();
    lab.setting.isOffered = false;
    lab.changeSetting();
    await lab.send({ kind: "place", seq });
    assert.equal(lab.isOffered(), false);
    assert.deepEqual(lab.placed, []);
    lab.end();
  });
});
