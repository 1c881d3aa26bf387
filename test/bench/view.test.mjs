// @ts-check
/** The stand-in of a connection in view.mjs has all that the pane asks it for, so that no bench breaks unseen. */
import assert from "node:assert/strict";
import { test } from "vitest";
import { createTimes } from "../../src/present/text/times.ts";
import { createOrdersPane } from "../../src/ui/orders/view.ts";
import { createWorld } from "../world.ts";
import { createFakeHost, createPane } from "./view.mjs";

test("the bench's pane draws the orders of a store", async () => {
  const world = createWorld();
  await world.connect();
  const { orders } = world.live;
  const { pane, frame } = createPane({ createOrdersPane, createTimes }, { orders, clock: world.clock });
  createFakeHost({ frame, provider: pane.provider, openGroups: 1 }).show();
  // The title's texts are drawn after their pause.
  await world.clock.advance(1000);
  assert.match(frame.view.description, /^SIMULATOR Bench · live/);
  pane.dispose();
});
