import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError, bugText, nothingToDo, toFailure } from "../../../src/base/failure.ts";
import type { CommandId } from "../../../src/manifest/contributes.ts";
import type { Log } from "../../../src/base/log.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";
import { createNotices } from "../../../src/ui/editor/notices.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { useEditor } from "../../editorStandIn.ts";
import { scriptedDialogs } from "./scriptedDialogs.ts";

let shown: readonly string[] = [];

/** What the user reads and what is logged when a command throws. */
async function throwIn(handler: () => unknown, secret = "", id: CommandId = "tradingRpc.log.show"): Promise<string[]> {
  const { runCommand } = await import("../../../src/ui/commands.ts");
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
  };
  const channel: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  const log = createMaskingLog(channel);
  log.mask(secret);
  const scripted = scriptedDialogs();
  ({ shown } = scripted);
  const { dialogs } = scripted;
  const notices = createNotices({ dialogs, times: createTimes(), clock: createFakeClock(), log, run: () => undefined });
  await runCommand(async () => await Promise.resolve(handler), id, [], {
    notices,
    scopes: { require: () => undefined },
    extension: { packageJSON: { contributes: { menus: {} } } },
  });
  return lines;
}

describe("an internal error of a command", () => {
  useEditor({});

  test("is told with its name and the way to report it; whether something was changed it does not know", async () => {
    await throwIn(function readAddress() {
      return new URL("");
    });
    assert.deepEqual(shown, [
      "error: Internal error in Trading RPC: TypeError: Invalid URL. Please file an issue and attach the log (Show Log).",
    ]);
  });

  test("that there is nothing to do is an answer, no error", async () => {
    const lines = await throwIn(() => {
      throw nothingToDo("Nothing to change.");
    });
    assert.deepEqual([shown, lines], [["information: Nothing to change."], ["Nothing to change."]]);
  });

  test("is logged with its stack, without the folders of the user", async () => {
    const lines = await throwIn(function readAddress() {
      return new URL("");
    });
    assert.equal(lines.length, 2);
    assert.match(
      lines[1] ?? "",
      /^Internal error: TypeError: Invalid URL .*at (?:Object\.)?readAddress \([^/\\()]+:\d+:\d+\) at .*runCommand/,
    );
    assert.ok(!lines.join("").includes(process.cwd()));
  });

  test("has the stack too where the program says itself that it is one", async () => {
    const lines = await throwIn(function lookUp() {
      throw new CallError({ kind: "bug", detail: "no such thing" });
    });
    assert.match(lines[1] ?? "", /^Internal error: no such thing .*lookUp/);
  });

  test("is masked like every line of the log", async () => {
    const lines = await throwIn(function sign() {
      throw new Error("cannot sign with verySecretValue");
    }, "verySecretValue");
    assert.ok(!lines.join("").includes("verySecretValue"), lines.join("\n"));
    assert.match(lines[1] ?? "", /cannot sign with ‹hidden›/);
  });

  test("of a refusal there is no stack: it is no error", async () => {
    assert.deepEqual(
      await throwIn(() => {
        throw new CallError({ kind: "refused", reason: "Not now." });
      }),
      ["Not now."],
    );
  });

  test("of a command that would have sent a request says that nothing was sent", async () => {
    const refuse = (): never => {
      throw new CallError({ kind: "refused", reason: "Not now." });
    };
    for (const id of ["tradingRpc.order.cancelRow", "tradingRpc.request.sendAll", "tradingRpc.mmp.reset"] as const)
      assert.deepEqual(await throwIn(refuse, undefined, id), ["Not now. Nothing was sent."], id);
    for (const id of ["tradingRpc.activity.export", "tradingRpc.order.copyId", "tradingRpc.request.new"] as const)
      assert.deepEqual(await throwIn(refuse, undefined, id), ["Not now."], id);
  });
});

describe("the text of a listener's error", () => {
  test("has its stack in one line", () => {
    const text = bugText(new RangeError("too much"));
    assert.match(text, /^RangeError: too much at /);
    assert.ok(!text.includes("\n"));
  });

  test("is a plain one where something else than an error was thrown", () => {
    assert.equal(bugText("a string"), "a string");
    assert.deepEqual(toFailure("a string"), { kind: "bug", detail: "a string" });
  });
});
