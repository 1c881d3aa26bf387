import assert from "node:assert/strict";
import { test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createOrdersPane } from "../../../src/ui/orders/view.ts";
import { createWorld } from "../../world.ts";

type PanePorts = Parameters<typeof createOrdersPane>[0];

const never = (): { dispose(): void } => ({ dispose: () => undefined });

test("the distance to the mark price is drawn once the positions are read, and not a minute later", async () => {
  const world = createWorld();
  const { live, clock } = world;
  await world.connect();
  const drawn = createEmitter<string | string[] | undefined>();
  const pane = createOrdersPane({
    frame: {
      view: {
        ...{ description: "", message: "", visible: true, selection: [] },
        ...{ onDidExpandElement: never, onDidCollapseElement: never, onDidChangeSelection: never },
        onDidChangeVisibility: never,
      },
      changes: drawn,
    } as unknown as PanePorts["frame"],
    liveConnections: { all: [live], find: () => live, onDidOpen: never, onDidClose: never },
    settings: { orders: () => ({ groupBy: "none", sortBy: "received", pageSize: 200 }), onDidChange: never },
    ...{ clock, times: createTimes(0), setContext: () => undefined },
  } as unknown as PanePorts);
  await clock.advance(5000);
  const drawRows = (): readonly string[] => {
    const ids = pane.provider.getChildren(undefined) as readonly string[];
    for (const id of ids) void pane.provider.getTreeItem(id);
    return ids;
  };
  const order = drawRows().find((id) => / % ·| %$/.test(pane.row(id)?.description ?? ""));
  assert.equal(order, undefined, "there is no mark price yet");
  const fired: (string | string[] | undefined)[] = [];
  drawn.event((what) => fired.push(what));
  live.positions.setVisible(true);
  await clock.advance(8000);
  const ids = fired.flat();
  assert.ok(ids.length > 0, "rows are drawn again");
  const drawnAgain = ids.map((id) => (id === undefined ? "" : (pane.row(id)?.description ?? "")));
  assert.ok(
    drawnAgain.some((each) => each.includes("\u202F%")),
    drawnAgain.join("; "),
  );
  pane.dispose();
});
