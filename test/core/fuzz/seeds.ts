import * as fs from "node:fs";
import * as path from "node:path";
import { lookAtAll } from "../../everyView.ts";
import { createWorld } from "../../world.ts";

/** Longer messages cost time and bend no further. */
const MAX_SEED_LENGTH = 6000;

/** What the simulator says while a connection opens and every view is read: each kind of message a few times. */
export async function simulatorFrames(): Promise<readonly string[]> {
  const world = createWorld({ orders: 3 });
  const frames: string[] = [];
  const accept = world.exchange.accept.bind(world.exchange);
  Object.assign(world.exchange, {
    accept: (end: Parameters<typeof accept>[0]) => {
      accept({
        ...end,
        send: (text) => {
          frames.push(text);
          end.send(text);
        },
      });
    },
  });
  await world.connect();
  await lookAtAll(world);
  world.live.dispose();
  const short = frames.filter((text) => text.length <= MAX_SEED_LENGTH);
  return short.slice(0, 60);
}

/** The project's own messages, written from the core specification. */
export function specifiedFrames(): readonly string[] {
  return framesOf(path.resolve("test/replay/messages"));
}

/** The messages of a folder, in one line each. */
export function framesOf(folder: string): readonly string[] {
  const files = fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort();
  const texts = files.map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
  const compact = texts.map((text) => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, "$1"));
  return compact.filter((text) => text.startsWith('{"jsonrpc"') && text.length <= MAX_SEED_LENGTH);
}
