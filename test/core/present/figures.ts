import { decimalText } from "../../../src/actions/intent/decimal.ts";
import { plain } from "../../../src/base/plain.ts";
import { chatResponseText } from "../../../src/present/requests/chatText.ts";
import { countText, numberText } from "../../../src/present/text/numbers.ts";
import { createTimes, durationText } from "../../../src/present/text/times.ts";
import { VIEW_NAMES } from "../../../src/base/viewNames.ts";
import { draw, flat, lookAtAll, shownOf, viewsOf } from "../../everyView.ts";
import { createWorld } from "../../world.ts";

/* A program of its own: prints every figure of every view. A test runs it as computers of other languages do. */

async function main(): Promise<void> {
  const times = createTimes(330);
  const numbers = [0.1, 1e-8, 1e21, 2 ** 53 + 2, 2100.5, -0.00000123, 1234567.891];
  const world = createWorld({ orders: 8 });
  await world.connect();
  await lookAtAll(world);
  const views = viewsOf([shownOf(world)]);
  const rows = VIEW_NAMES.flatMap((view) =>
    flat(draw(views[view])).flatMap(({ row, tooltip }) => [
      row.label,
      row.description,
      row.spoken,
      ...tooltip.map(({ value }) => value),
    ]),
  );
  const lines = [
    `${Intl.NumberFormat().resolvedOptions().locale} ${(1234.5).toLocaleString()}`,
    ...numbers.flatMap((each) => [numberText(each), decimalText(each), countText(Math.round(each))]),
    ...[0, 1e12, 1.7e12, 4e12].flatMap((atMs) => [
      times.clock(atMs),
      times.local(atMs),
      times.utc(atMs),
      durationText(atMs / 1000),
    ]),
    chatResponseText({
      title: plain`x`,
      receivedAtMs: 1.7e12,
      bodyText: '{"price":0.10}',
      times,
      hide: (text) => text,
    }),
    ...rows,
  ];
  process.stdout.write(lines.join("\n"));
  world.live.dispose();
}

void main();
