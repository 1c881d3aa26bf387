import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import { useEditor } from "../../editorStandIn.ts";

/*
 * Restricted Mode is a rule of the code: what the menus show is another matter. A stand-in for the editor says whether
 * the folder is trusted.
 */

let isTrusted = false;

describe("requests of a folder that is not trusted", () => {
  useEditor({
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
    },
  });

  test("are not prepared: nothing is connected, read or sent", async () => {
    const { prepareRun } = await import("../../../src/ui/requests/preparedRun.ts");
    const touched: string[] = [];
    const sources = {
      targets: { of: () => void touched.push("target"), liveOf: () => void touched.push("connection") },
      connect: async () => await Promise.resolve(touched.push("connect") < 0),
    };
    const prepare = async (): Promise<unknown> => await prepareRun({ uri: {} } as never, sources as never);
    const refusal = await prepare().then(() => undefined, toFailure);
    assert.equal(refusal?.kind === "refused" ? refusal.reason : refusal, "Requests can't be sent in Restricted Mode.");
    assert.equal(touched.length, 0, touched.join());
    isTrusted = true;
    assert.equal(await prepare(), undefined);
    assert.ok(touched.includes("connect"));
  });
});
