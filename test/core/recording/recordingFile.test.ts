import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createRecordingFile, isUnfinishedFile, readRecordingFile } from "../../../src/recording/recordingFile.ts";
import { MAX_READ_BYTES } from "../../../src/recording/recording.ts";

const HEAD = '{"tradingRpcRecording":1,"environment":"test","isFinished":false,"startedAtMs":0}\n';

describe("the file of a recording", () => {
  let folder = "";
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-recording-file-"));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });
  const at = (name: string): string => path.join(folder, name);
  const modeOf = (file: string): number => (process.platform === "win32" ? 0o600 : fs.statSync(file).mode & 0o777);

  test("is for this user alone, also where it replaces another; a new one replaces nothing", () => {
    fs.writeFileSync(at("a"), "old", { mode: 0o644 });
    assert.throws(() => createRecordingFile(at("a"), "new"), { code: "EEXIST" });
    assert.equal(fs.readFileSync(at("a"), "utf8"), "old");
    for (const [name, way] of [
      ["a", "replace"],
      ["b", "new"],
    ] as const) {
      const file = createRecordingFile(at(name), way);
      file.append("text");
      assert.deepEqual([fs.readFileSync(at(name), "utf8"), modeOf(at(name))], ["text", 0o600]);
      file.remove();
    }
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  test("is read in pieces with every character; the next one takes its place only when it is complete", () => {
    const file = createRecordingFile(at("a"), "new");
    // A character of three bytes, so that pieces end within one.
    const text = `x${"€".repeat(1_000_000)}`;
    file.append(text);
    file.append("end");
    assert.equal([...file.pieces()].join(""), `${text}end`);
    // One that a program left when it died.
    fs.writeFileSync(at("a.new"), "left", { mode: 0o644 });
    file.createNext().remove();
    assert.deepEqual(fs.readdirSync(folder), ["a"]);
    const next = file.createNext();
    next.append("next");
    assert.equal(fs.statSync(at("a")).size, Buffer.byteLength(`${text}end`));
    next.replace();
    assert.deepEqual([fs.readdirSync(folder), fs.readFileSync(at("a"), "utf8")], [["a"], "next"]);
    assert.equal(modeOf(at("a")), 0o600);
  });

  test("can be finished at another place, and is gone then; one that is another spelling of its own stays", () => {
    for (const [place, name] of [
      [at("b"), "b"],
      [`${folder}/./a`, "a"],
    ] as const) {
      const next = createRecordingFile(at("a"), "replace").createNext(place);
      next.append("next");
      next.replace();
      assert.deepEqual([fs.readdirSync(folder), fs.readFileSync(at(name), "utf8")], [[name], "next"]);
      fs.rmSync(at(name));
    }
  });

  test("is still there where it can't be replaced, and can be finished at another place then", () => {
    const file = createRecordingFile(at("a"), "new");
    file.append("text");
    const failing = file.createNext();
    fs.rmSync(at("a.new"));
    assert.throws(() => failing.replace(), { code: "ENOENT" });
    failing.remove();
    assert.equal([...file.pieces()].join(""), "text");
    const next = file.createNext(at("b"));
    next.append("next");
    next.replace();
    assert.deepEqual([fs.readdirSync(folder), fs.readFileSync(at("b"), "utf8")], [["b"], "next"]);
  });

  test("says whether it was finished, and is refused where it is too large to be held", () => {
    fs.writeFileSync(at("a"), `${HEAD}{"ms":5,"event":"x","da`);
    assert.ok(isUnfinishedFile(at("a")));
    assert.deepEqual(readRecordingFile(at("a")), {
      kind: "read",
      recording: { environment: "test", startedAtMs: 0, isFinished: false, entries: [] },
    });
    for (const text of [HEAD.replace('"isFinished":false,', ""), "", "hello\n"]) {
      fs.writeFileSync(at("b"), text);
      assert.equal(isUnfinishedFile(at("b")), false, text);
    }
    assert.equal(isUnfinishedFile(at("none")), false);
    fs.truncateSync(at("a"), MAX_READ_BYTES + 1);
    assert.deepEqual(readRecordingFile(at("a")), {
      kind: "wrong",
      message: "The recording is larger than 128 MiB.",
    });
  });
});
