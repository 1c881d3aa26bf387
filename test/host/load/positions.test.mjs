// @ts-check
/**
 * Two thousand positions that are read every five seconds, and five hundred changes a second, in a real VS Code: when
 * the rows show a change, whether a hand hits what it aims at meanwhile, and what it costs the extension host.
 */
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { makeFolder, openEditor } from "../open.mjs";
import { removeDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { film } from "../treeFilm.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { startCrowdedAccount } from "./crowdedAccount.mjs";
import { inspectable, watchExtensionHost } from "./extensionHost.mjs";
import { keepFigures, LINUX_ONLY, note, summary } from "./figures.mjs";
import { latenciesOf } from "./ordersPage.mjs";

const POSITIONS = 2000;
const CHANGES_PER_SECOND = 500;
const FILM_MS = 20_000;
/**
 * Changes that are made later than this before the end of the film may come after it: each reading changes every row,
 * and at most 200 rows are drawn in a quarter of a second.
 */
const OMITTED_MS = 5000;
const AIMS = 20;
const MOST_CPU_SHARE = 0.5;
/** Away from every row. @type {[number, number]} */
const ASIDE = [900, 500];

test.describe("two thousand positions, five hundred changes a second", () => {
  test.skip(process.platform !== "linux", LINUX_ONLY);
  test.describe.configure({ mode: "serial" });
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  /** @type {import("./crowdedAccount.mjs").CrowdedAccount} */
  let account;
  /** @type {import("./extensionHost.mjs").ExtensionHost} */
  let host;
  /** @type {Record<string, unknown>} */
  const figures = {};
  const folder = makeFolder({ "notes.txt": "\n" });
  const positions = () => editor.workbench.pane("Positions");
  test.beforeAll(async () => {
    simulator = await startSimulator(["--seed", "1", "--orders", "3", "--still"]);
    account = await startCrowdedAccount(simulator, {
      positions: POSITIONS,
      changesPerSecond: CHANGES_PER_SECOND,
    });
    editor = await openEditor({
      folder,
      vsix: await vsixUnderTest(),
      env: inspectable,
      viewport: { width: 1400, height: 1150 },
    });
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await workbench.connectTo({ ...simulator, webSocket: account.webSocket });
    await workbench.openOnly("Positions");
    await workbench.rowsWhen((rows) => rows.length > 20, positions());
    host = await watchExtensionHost(editor.dataDir, "trading-rpc.trading-rpc");
  });
  test.afterAll(async () => {
    keepFigures("load-positions", figures);
    host?.close();
    await editor?.close();
    account?.stop();
    await simulator?.stop();
    removeDir(folder);
  });

  test("each change comes to the screen, or a later one, and the host has most of its time left", async () => {
    await editor.page.mouse.move(...ASIDE);
    const readsBefore = account.count("private/get_positions");
    const cpuBeforeMs = host.cpuMs();
    const seen = await film(positions(), FILM_MS, /^(\S+-C)\b/);
    const cpuShare = (host.cpuMs() - cpuBeforeMs) / (seen.endMs - seen.startMs);
    const reads = account.count("private/get_positions") - readsBefore;
    const changes = latenciesOf(account.versions, seen, OMITTED_MS, sizeOfRow);
    const latencies = changes.map(({ ms }) => ms);
    const rows = seen.rows.filter(({ id }) => account.versions.has(id)).length;
    const { median, p95, p99, most } = summary(latencies);
    Object.assign(figures, { cpuShare, reads, rows, changes: latencies.length, median, p95, p99, most });
    note(
      `load: ${latencies.length} changes of ${rows} visible positions in ${FILM_MS / 1000} s, made → on the screen: median ${median} ms, 95 % ${p95} ms, 99 % ${p99} ms, latest ${most} ms; ${reads} readings; the extension host took ${(cpuShare * 100).toFixed(0)} % of a processor`,
    );
    await editor.workbench.shot("load-positions");
    assert.ok(reads >= 3 && reads <= 5, `${reads} readings`);
    assert.ok(latencies.length >= 50, `only ${latencies.length} changes were seen`);
    assert.deepEqual(
      changes.filter(({ isShown }) => !isShown),
      [],
    );
    assert.ok(cpuShare <= MOST_CPU_SHARE, `${(cpuShare * 100).toFixed(0)} %`);
  });

  test(`a command in the menu of a row is about that row: ${AIMS} of ${AIMS}`, async () => {
    const { page, workbench } = editor;
    /** @type {string[]} */
    const missed = [];
    for (let aim = 0; aim < AIMS; aim++) {
      const names = await namesInSight();
      const name = names[(aim * 7) % names.length] ?? "";
      await page.evaluate(() => navigator.clipboard.writeText(""));
      await workbench.context(new RegExp(`^${name} `), "Copy Instrument Name", positions());
      const copied = await until(
        async () => {
          const text = await page.evaluate(() => navigator.clipboard.readText());
          return text !== "" && text;
        },
        { what: `the name ${name} in the clipboard, aim ${aim}` },
      );
      if (copied !== name) missed.push(`${name}: ${copied}`);
    }
    assert.deepEqual(missed, []);
  });

  /** Positions whose rows are on the screen, without those at its edges. */
  async function namesInSight() {
    const rows = await editor.workbench.treeRows(positions());
    return rows.flatMap((row) => /^(\S+-C) /.exec(row.replace(/\u00a0/g, " "))?.[1] ?? []).slice(3, -3);
  }
});

/** @param {string} label of a position's row */
function sizeOfRow(label) {
  return /(?:long|short)[ \u00a0](\d+)/.exec(label)?.[1] ?? "";
}
