import assert from "node:assert/strict";
import { test } from "vitest";
import { logOf, silentLog } from "../../../../src/base/log.ts";
import { plain } from "../../../../src/base/plain.ts";
import { createMaskingLog } from "../../../../src/ui/editor/log.ts";

test("no line of the log contains a secret, wherever it stands, nor anything that forges a line", () => {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const log = createMaskingLog({ ...silentLog, trace: write, info: write, error: write });
  log.mask("s3cret-text");
  log.mask("ab");
  log.info(plain`signed in with s3cret-text as s3cret-text, not cab`);
  log.error(plain`x\n2026-11-20 forged`);
  log.trace(plain`{"client_secret":"s3cret-text"}`);
  assert.deepEqual(lines, [
    "signed in with ‹hidden› as ‹hidden›, not cab",
    "x\\u000A2026-11-20 forged",
    '{"client_secret":"‹hidden›"}',
  ]);
});

test("the newest lines are kept for a support file, masked, of every level but that of the wire's texts", () => {
  let nowMs = 1000;
  const log = createMaskingLog(silentLog, () => nowMs++);
  log.mask("s3cret-text");
  log.trace(plain`→ {}`);
  for (let index = 0; index < 300; index++) log.debug(plain`line ${index}`);
  logOf(log, "de]sk\u202E").warn(plain`with s3cret-text`);
  assert.equal(log.recent.length, 200);
  assert.deepEqual(log.recent.at(-1), { atMs: 1300, level: "warn", text: "[de)sk\\u202E] with ‹hidden›" });
  assert.deepEqual(log.recent[0], { atMs: 1101, level: "debug", text: "line 101" });
});

test("whoever shows lines says since when secrets are known: without a clock none is kept", () => {
  const log = createMaskingLog(silentLog);
  log.error(plain`x`);
  assert.deepEqual(log.recent, []);
});
