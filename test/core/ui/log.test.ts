import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../../../src/base/log.ts";
import { createMaskingLog } from "../../../src/ui/log.ts";

test("no line of the log contains a secret, wherever it stands, nor anything that forges a line", () => {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const log = createMaskingLog({ ...silentLog, trace: write, info: write, error: write });
  log.mask("s3cret-text");
  log.mask("ab");
  log.info("signed in with s3cret-text as s3cret-text, not cab");
  log.error("x\n2026-11-20 forged");
  log.trace('{"client_secret":"s3cret-text"}');
  assert.deepEqual(lines, ["signed in with ••• as •••, not cab", "x\\u000A2026-11-20 forged", '{"client_secret":"•••"}']);
});
