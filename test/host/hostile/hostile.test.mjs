// @ts-check
/**
 * Hostile workspaces in a real VS Code, untrusted and trusted, whose user has stored a key. Opening them contacts no
 * server. What the user then does in them is refused, needs confirmation, or is a read that the user sent. Afterwards the
 * key is on the disk only as encrypted by VS Code. Some of them each day, all of them in a long run; RPC_HOSTILE names
 * those that are wanted.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "@playwright/test";
import { size } from "../../rounds.mjs";
import { encodingsOf, findSecrets, secretsOf } from "../canaries.mjs";
import { removeDir, tempDir, until } from "../process.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { allFixtures, makeWorkspace, missingTool } from "./workspaces.mjs";
import { closeAllOf, openWorld } from "./world.mjs";

/** @typedef {ReturnType<typeof allFixtures>[number]} Row */
/** @typedef {import("./workspaces.mjs").Workspace} Workspace */

/** Of a day: so many that they take about a minute. */
const WINDOWS = 3;
const FOLDERS = 9;
/** Folders of one window when all are wanted. */
const GROUP = 17;
const DAY_MS = 86_400_000;

/** What a session and its views send by themselves. */
const BY_ITSELF =
  /^(?:public\/(?:hello|get_time|auth|set_heartbeat|status|test|subscribe|unsubscribe)|private\/(?:subscribe|unsubscribe|get_cancel_on_disconnect|get_account_summaries|get_open_orders|get_positions|get_subaccounts))$/;
/** Reads that fixtures ask for. */
const READS = /^public\/(?:get_time|get_last_trades_by_instrument)$/;
/** Tokens and secrets that stand in fixtures. */
const PLANTED = ["n0tAt0ken", "hUnter2hUnter2", "aB3dE6gH9jK2mN5p"];

/** @param {readonly Row[]} rows @param {number} count @returns {readonly Row[]} those of today */
function ofToday(rows, count) {
  const first = (Number(process.env["RPC_DAY"]) * count) % rows.length;
  return [...rows, ...rows].slice(first, first + count);
}

/** Every process of a run has the day on which it began. */
process.env["RPC_DAY"] ??= String(Math.floor(Date.now() / DAY_MS));

function chosen() {
  const wanted = process.env["RPC_HOSTILE"]?.split(",");
  const all = allFixtures().filter(({ id }) => wanted === undefined || wanted.some((each) => id.startsWith(each)));
  const [windows, folders] = [
    all.filter(({ needs }) => needs === "window"),
    all.filter(({ needs }) => needs === "folder"),
  ];
  const isWhole = wanted !== undefined || size === "long";
  return isWhole ? { windows, folders } : { windows: ofToday(windows, WINDOWS), folders: ofToday(folders, FOLDERS) };
}

const { windows, folders } = chosen();
const groups = Array.from({ length: Math.ceil(folders.length / GROUP) }, (_, index) =>
  folders.slice(index * GROUP, (index + 1) * GROUP),
);

// The last tests are about all that was opened before them.
test.describe.configure({ mode: "serial" });

/** @type {import("./world.mjs").World} */
let world;
/** What is closed at the end, the newest first, whether or not all of it was opened. @type {(() => unknown)[]} */
const closing = [];
/** @type {string} */
let parent;
/** @type {Map<string, Workspace>} */
const made = new Map();

test.beforeAll(async () => {
  const ids = [...windows, ...folders].map(({ id }) => id);
  console.log(`note: hostile workspaces, each untrusted and trusted: ${ids.join(", ")}`);
  try {
    parent = tempDir("rpc-hostile");
    closing.push(() => removeDir(parent));
    for (const row of [...windows, ...folders].filter((each) => missingTool(each) === undefined)) {
      const workspace = await makeWorkspace(row, parent);
      made.set(row.id, workspace);
      closing.push(() => workspace.decoy.close());
    }
    world = await openWorld(await vsixUnderTest(), closing);
  } catch (error) {
    await closeAllOf(closing);
    throw error;
  }
});

test.afterAll(() => closeAllOf(closing));

/** @param {Row} row @returns {Workspace} */
function workspaceOf({ id }) {
  const found = made.get(id);
  if (found === undefined) throw new Error(`${id} was not made.`);
  return found;
}

/** Every question is answered with no, everything that is open is closed. */
async function tidy() {
  const { page, workbench } = world;
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press("Escape");
    if (!(await workbench.dialog.isVisible()) && !(await workbench.quickInput.isVisible())) break;
  }
  await workbench.dialog.waitFor({ state: "detached" });
  await world.press("clear");
  // A page that the folder has the editor open at its start may come when the others are closed already.
  const tabs = page.locator(".tabs-container .tab");
  await until(
    async () => {
      await world.press("closeAll");
      return tabs
        .first()
        .waitFor({ state: "detached", timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    },
    { what: "all tabs to be closed" },
  );
}

/**
 * Opens it, and asserts that nothing came of that.
 * @param {string} target
 * @param {boolean} isTrusted
 * @param {readonly Workspace[]} workspaces
 */
async function openQuietly(target, isTrusted, workspaces) {
  const before = world.relay.sockets();
  await world.open(target, isTrusted);
  assert.equal(world.relay.sockets(), before, "the server of the key was dialled");
  for (const each of workspaces) assertNotContacted(each, isTrusted);
}

/** @param {Workspace} workspace @param {boolean} isTrusted */
function assertNotContacted({ id, decoy, isFetchedByEditor }, isTrusted) {
  if (isTrusted && isFetchedByEditor) return;
  assert.deepEqual({ id, sockets: decoy.sockets(), bytes: decoy.bytes() }, { id, sockets: 0, bytes: 0 });
}

/**
 * @param {number} since
 * @returns {Promise<string[]>} frames that change something: a command may read what its question names
 */
async function changes(since) {
  return (await world.frames(since))
    .filter(
      ({ method }) => !BY_ITSELF.test(method ?? "") && !/^(?:public|private)\/(?:get|list)_\w+$/.test(method ?? ""),
    )
    .map(({ text }) => text);
}

/** What the window says about a request that was not sent. */
const refusal = () =>
  world.page
    .locator(".notification-toast, .editor-group-container .view-lines", { hasText: /Nothing\swas\ssent/ })
    .first();

/**
 * @param {Workspace} workspace
 * @param {boolean} isTrusted sends its file, and holds what comes of it against what has to
 */
async function sendIt({ drive, ...workspace }, isTrusted) {
  assert.ok(drive && "send" in drive);
  const { workbench, page } = world;
  await world.show(path.join(workspace.folder, drive.send));
  // A lens says that the extension knows of the file; some have none.
  await page
    .locator(".codelens-decoration")
    .first()
    .waitFor({ timeout: 2000 })
    .catch(() => undefined);
  const since = (await world.frames()).at(-1)?.number ?? 0;
  await world.press(drive.all ? "sendAll" : "send");
  const expected = isTrusted ? drive.expected : "refused";
  if (!isTrusted) await workbench.toast(/Restricted Mode/);
  else if (expected === "refused") await refusal().waitFor();
  else if ("asked" in expected) assert.match((await workbench.readModal()).text, expected.asked);
  else if ("trading" in expected) await workbench.quickInput.filter({ hasText: expected.trading }).waitFor();
  else await page.locator(".tab", { hasText: "response" }).first().waitFor();
  await tidy();
  const frames = (await world.frames(since)).filter(
    ({ method }) => !BY_ITSELF.test(method ?? "") || READS.test(method ?? ""),
  );
  const reads =
    typeof expected === "object" && "read" in expected
      ? frames.filter(({ method, text }) => READS.test(method ?? "") && text.includes(expected.read))
      : [];
  assert.equal(reads.length, typeof expected === "object" && "read" in expected ? 1 : 0);
  const found = frames.filter((frame) => !reads.includes(frame)).map(({ text }) => text);
  assert.deepEqual(found, []);
  assertNotContacted({ ...workspace, drive }, isTrusted);
}

/** @param {"task" | "debug"} gesture a command of ours that a file of the folder names is run; it may ask or refuse */
async function runIt(gesture) {
  const { workbench, page } = world;
  await tidy();
  const since = await world.connect();
  await world.press(gesture);
  await until(
    async () =>
      (await workbench.dialog.isVisible()) ||
      (await workbench.quickInput.isVisible()) ||
      (await page.locator(".notification-toast").count()) > 0,
    { what: "a question or a refusal" },
  );
  await tidy();
  assert.deepEqual(await changes(since), []);
}

for (const isTrusted of [false, true]) {
  const mode = isTrusted ? "trusted" : "untrusted";
  test.describe(`hostile workspaces, ${mode}`, () => {
    test.afterEach(tidy);

    for (const row of windows) {
      test(`${mode}: ${row.id} (${row.threat}) contacts no server and changes nothing`, async () => {
        const missing = missingTool(row);
        test.skip(missing !== undefined, `${missing} is not on PATH.`);
        const workspace = workspaceOf(row);
        await openQuietly(path.join(workspace.folder, workspace.workspace ?? ""), isTrusted, [workspace]);
        if (workspace.show) await world.show(path.join(workspace.folder, workspace.show));
        if (workspace.drive && "run" in workspace.drive) await runIt(workspace.drive.run);
        assertNotContacted(workspace, isTrusted);
      });
    }

    for (const [index, group] of groups.entries()) {
      test(`${mode}: ${group.length} folders in window ${index + 1} contact no server`, async () => {
        const file = path.join(parent, `hostile-${mode}-${index}.code-workspace`);
        const workspaces = group.map(workspaceOf);
        fs.writeFileSync(file, JSON.stringify({ folders: workspaces.map(({ folder }) => ({ path: folder })) }));
        await openQuietly(file, isTrusted, workspaces);
        await world.connect();
      });
      for (const row of group) {
        test(`${mode}: ${row.id} (${row.threat}) sends nothing that the user did not send or confirm`, async () => {
          const workspace = workspaceOf(row);
          if (workspace.drive) await sendIt(workspace, isTrusted);
          assertNotContacted(workspace, isTrusted);
        });
      }
    }
  });
}

test.describe("after all hostile workspaces", () => {
  test("no process of VS Code has connected to or looked up any host except the server of the key", () => {
    const { port } = world.relay;
    const dialled = world.dialled();
    assert.ok(
      dialled.some((each) => each.port === port),
      "what is dialled was not watched",
    );
    // What VS Code itself fetches for a trusted folder, it fetches without us: the rows that are of that sort say so.
    const ports = [
      port,
      ...[...made.values()].filter(({ isFetchedByEditor }) => isFetchedByEditor).map(({ decoy }) => decoy.port),
    ];
    const known = (/** @type {{ host?: string, port?: number, name?: string }} */ each) =>
      (each.host === "127.0.0.1" && each.port !== undefined && ports.includes(each.port)) || each.name === "127.0.0.1";
    const found = dialled.filter((each) => !known(each));
    assert.deepEqual(found, []);
    assert.deepEqual([...world.workbench.outside], []);
  });

  test("no frame has anything of the environment, of a secret or of a token that stands in a file", async () => {
    const frames = await world.frames();
    for (const planted of [...PLANTED, world.environmentCanary])
      assert.deepEqual(
        frames.filter(({ text }) => text.includes(planted)).map(({ text }) => text),
        [],
      );
    const received = world.relay.received();
    assert.ok(received.length > 0);
    assert.deepEqual(
      [...encodingsOf(world.simulator.clientSecret)]
        .filter(([, piece]) => received.includes(piece))
        .map(([way]) => way),
      [],
    );
  });

  test("the key stands nowhere on the disk but encrypted in the editor's secret storage, no token anywhere", async () => {
    const stored = await world.page.evaluate(() => localStorage.getItem("secrets.provider"));
    assert.ok(stored, "the editor keeps its secrets elsewhere by now");
    const secrets = await secretsOf(world.simulator);
    assert.ok(secrets.length > 1);
    await world.closeEditor();
    // What the extension and the browser consist of was there before.
    const { files, found } = findSecrets([world.dataDir, world.profile], secrets, { except: /^extensions\// });
    assert.deepEqual(found, []);
    console.log(
      `note: ${files} files of the editor and its browser hold none of ${secrets.length} secrets in ${encodingsOf(world.simulator.clientSecret).size} encodings`,
    );
    const proof = path.join(parent, "proof");
    for (const [way, piece] of encodingsOf(world.simulator.clientSecret)) {
      fs.mkdirSync(proof);
      fs.writeFileSync(path.join(proof, "file"), Buffer.concat([Buffer.from([0, 255]), piece, Buffer.from([0])]));
      assert.ok(findSecrets([proof], secrets).found.length > 0, way);
      removeDir(proof);
    }
  });
});
