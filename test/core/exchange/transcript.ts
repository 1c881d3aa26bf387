import assert from "node:assert/strict";
import { test } from "vitest";
import { play } from "./script.ts";

/** Tests that the operations of a transcript, its lines that are not indented, come to what stands below each. */
export function testTranscript(name: string, transcript: string, options: Parameters<typeof play>[1] = {}): void {
  test(name, () => {
    const script = transcript
      .split("\n")
      .filter((line) => !/^[ =]/.test(line))
      .join("\n");
    assert.equal(play(script, options), transcript);
  });
}
