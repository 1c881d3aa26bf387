import type { Dial } from "../../src/rpc/transport.ts";
import type { ScriptedServer } from "../scriptedServer.ts";
import type { FakeClock } from "../fakeClock.ts";
import type { Encounter, Wire } from "./wire.ts";

/** What carries the texts: the part in which the stages differ. */
export interface Line {
  readonly dial: Dial;
  /** Of the server: host and port. */
  readonly address: string;
  readonly url: string;
  readonly wires: readonly Wire[];
  /** Bytes of the client's conversation that the server got, over all connections. */
  readonly heardBytes: number;
  meet(encounter: Encounter): void;
  /** Until nothing more is under way. */
  settle(): Promise<void>;
  /** What is still open or listening on either end. */
  leftovers(): readonly string[];
  close(): Promise<void>;
}

/** What a line is made of. */
export interface LinePorts {
  readonly clock: FakeClock;
  readonly server: ScriptedServer;
}

/** A turn of the event loop in which sockets are read. */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
