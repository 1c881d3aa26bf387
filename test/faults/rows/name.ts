import assert from "node:assert/strict";
import { CLIENT_ID, CLIENT_SECRET } from "../../scriptedServer.ts";
import type { FaultRow, Stage } from "../stage.ts";
import type { Encounter } from "../wire.ts";

function noName(code: "ENOTFOUND" | "EAI_AGAIN"): FaultRow {
  let asked = 0;
  return {
    id: `F1 ${code}`,
    title: "the name is not found",
    on: "both",
    design: "network failures are retried slowly, without waiting for the user",
    meets: [{ meets: "noName", code }],
    ports: {
      async credentials() {
        asked++;
        return await Promise.resolve({ kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
      },
    },
    async run(stage: Stage) {
      asked = 0;
      await failFirstDial(stage);
      assert.equal(asked, 0, "the secret was not requested");
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "waiting"],
      row: /^TESTNET · next attempt in [234] s$/,
      sentences:
        /The host name of \{server\} was not found \(getaddrinfo (?:ENOTFOUND|EAI_AGAIN) .*\)\. Check the address for typos\. If it is correct, check your network/,
      dials: 1,
      ledger: [],
    },
  };
}

/** F2, F5, F6, F7: four ways in which nothing comes, and one limit for all of them. */
function timeouts(): FaultRow[] {
  const ways: readonly [string, string, Encounter][] = [
    ["F2", "the name server never answers", { meets: "silentName" }],
    ["F5", "the first packet is swallowed", { meets: "blackhole" }],
    ["F6", "the connection is taken and nothing said", { meets: "stall" }],
    ["F7", "the upgrade drips, a byte each 100 ms", { meets: "drip", everyMs: 100 }],
  ];
  return ways.map(([id, title, encounter]) => ({
    id,
    title,
    on: "both",
    meets: [encounter],
    async run(stage: Stage) {
      stage.session.connect();
      await stage.advance(9999);
      assert.equal(stage.session.state.status, "connecting");
      assert.equal(stage.shown().row, "TESTNET · connecting…");
      await stage.advance(1);
      await stage.until(() => stage.session.state.status === "waiting", "it gave up");
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "waiting"],
      row: /^TESTNET · next attempt in \d+ ms$/,
      sentences:
        /The connection to \{server\} timed out \(no connection within 10 s\)\. Check the host and port, your network/,
      dials: 1,
      ledger: [],
    },
  }));
}

function outage(): FaultRow {
  return {
    id: "F3",
    title: "cut off, then the name is not found five times, then all is well",
    on: "both",
    meets: [{ meets: "server" }, ...Array.from({ length: 5 }, () => ({ meets: "noName", code: "ENOTFOUND" }) as const)],
    async run(stage: Stage) {
      const { orders } = stage.live();
      await stage.ready();
      await stage.until(() => orders.snapshot.status === "live", "the orders are read");
      stage.wire.rst();
      await stage.until(() => stage.session.state.status === "waiting", "it waits");
      for (let dial = 2; dial <= 6; dial++) {
        assert.equal(orders.snapshot.status, "stale", "what is shown no longer counts as fresh");
        await passPause(stage);
        await stage.until(
          () => stage.dials === dial && stage.session.state.status === "waiting",
          `dial ${String(dial)} failed`,
        );
      }
      await passPause(stage);
      await stage.until(() => orders.snapshot.status === "live", "the orders are read again");
      assert.equal(stage.server.methods().filter((method) => method === "private/get_open_orders").length, 2);
      const generations = stage.states.flatMap((state) => (state.status === "connecting" ? [state.generation] : []));
      assert.deepEqual(generations, [1, 2, 3, 4, 5, 6, 7]);
    },
    expected: { status: "ready", row: /^TESTNET · ready/, dials: 7 },
  };
}

function refusals(): FaultRow {
  return {
    id: "F4",
    title: "the server refuses connections for an hour",
    on: "both",
    meets: Array.from({ length: 400 }, () => ({ meets: "refuse" })),
    async run(stage: Stage) {
      stage.session.connect();
      const dialled: number[] = [];
      for (let seen = 0; stage.clock.monotonicMs() < 3_600_000;) {
        await stage.until(() => stage.session.state.status === "waiting", "it waits");
        if (stage.dials > seen) dialled.push(stage.clock.monotonicMs());
        seen = stage.dials;
        await passPause(stage);
      }
      await stage.until(() => stage.session.state.status === "waiting", "it waits");
      assert.ok(dialled.length > 100, String(dialled.length));
      const gaps = dialled.map((atMs, index) => atMs - (dialled[index - 1] ?? 0)).slice(1);
      gaps.forEach((gapMs, index) => {
        const fullMs = Math.min(30_000, 500 * 2 ** index);
        assert.ok(gapMs >= Math.max(250, fullMs / 2), `gap ${String(index)}: ${String(gapMs)} ms`);
      });
      checkDialsPerWindow(dialled);
      assert.match(
        stage.shown().sentences,
        /Connection refused by \{server\} \(connect ECONNREFUSED .*\)\. Check the port in the address, and that the server is running\./,
      );
    },
    expected: { status: "waiting", ledger: [], row: /^TESTNET · next attempt in / },
  };
}

function handshakesThatEnd(): FaultRow {
  return {
    id: "F8",
    title: "the link is made and ended at once, a hundred times",
    on: "both",
    design: "only refused credentials and a changed identity wait for the user: it goes on trying, ever more slowly",
    meets: Array.from({ length: 100 }, () => ({ meets: "server", then: (wire) => wire.fin() })),
    async run(stage: Stage) {
      stage.session.connect();
      const dialled: number[] = [];
      for (let dial = 1; dial <= 100; dial++) {
        await stage.until(
          () => stage.dials === dial && stage.session.state.status === "waiting",
          `dial ${String(dial)} ended`,
        );
        dialled.push(stage.clock.monotonicMs());
        assert.match(
          stage.shown().sentences,
          /The connection was closed by \{server\} \(close code 1006\)\. The connection reopens automatically\. If it keeps happening, check the exchange's status page/,
        );
        await passPause(stage);
      }
      checkDialsPerWindow(dialled);
      const gaps = dialled.map((atMs, index) => atMs - (dialled[index - 1] ?? 0)).slice(8);
      assert.ok(
        gaps.every((gapMs) => gapMs >= 15_000),
        "the pauses do not become short again",
      );
      await stage.until(() => stage.session.state.status === "ready", "the next one lasts");
      await stage.advance(59_000);
      stage.wire.fin();
      await stage.until(() => stage.session.state.status === "waiting", "it ended too soon to count");
      assert.ok(pauseMs(stage) >= 15_000);
      await stage.advance(600_000);
      await stage.until(() => stage.session.state.status === "ready", "again");
      await stage.advance(60_000);
      stage.wire.fin();
      await stage.until(() => stage.session.state.status === "waiting", "it ended");
      assert.ok(pauseMs(stage) <= 500, "after a minute the pauses begin anew");
    },
    expected: { status: "waiting", dials: 102 },
  };
}

/** At most 36 in any ten minutes. */
function checkDialsPerWindow(dialled: readonly number[]): void {
  dialled.forEach((atMs, index) => {
    const inWindow = dialled.slice(index).filter((each) => each - atMs < 600_000).length;
    assert.ok(inWindow <= 36, `${String(inWindow)} dials in ten minutes`);
  });
}

/** How long until the next dial. */
function pauseMs({ session, clock }: Stage): number {
  return session.state.status === "waiting" ? session.state.retryAtMs - clock.now() : 0;
}

/** Until the next dial is made. */
export async function passPause(stage: Stage): Promise<void> {
  await stage.advance(pauseMs(stage));
}

export async function failFirstDial(stage: Stage): Promise<void> {
  stage.session.connect();
  await stage.until(() => stage.session.state.status === "waiting", "the dial failed");
  await stage.settle();
}

/** The name and TCP, and everything that takes too long: F1 to F8. */
export const NAME_ROWS: readonly FaultRow[] = [
  ...(["ENOTFOUND", "EAI_AGAIN"] as const).map(noName),
  ...timeouts(),
  outage(),
  refusals(),
  handshakesThatEnd(),
];
