import assert from "node:assert/strict";
import Module from "node:module";
import { after, before, describe, test } from "node:test";
import { toFailure } from "../../../src/base/failure.ts";

/* Restricted Mode is a rule of the code: what the menus show is another matter. A stand-in for the editor says whether the folder is trusted. */

const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
const load = loader._load;
let isTrusted = false;

/** Everything else that the files of the floor take from the editor when they are loaded. */
const anything: unknown = new Proxy(Object, { get: (target, name): unknown => (name === "prototype" ? target.prototype : anything), apply: () => anything });

before(() => {
  const editor = Object.create(anything as object, { workspace: { enumerable: true, value: { get isTrusted() { return isTrusted; } } } }) as unknown;
  loader._load = (request, ...rest) => (request === "vscode" ? editor : load(request, ...rest));
});
after(() => { loader._load = load; });

describe("requests of a folder that is not trusted", () => {
  test("are not prepared: nothing is connected, read or sent", async () => {
    const { prepareRun } = await import("../../../src/ui/preparedRun.ts");
    const touched: string[] = [];
    const sources = { targets: { of: () => void touched.push("target") }, live: { find: () => void touched.push("connection") }, connect: async () => await Promise.resolve(touched.push("connect") < 0) };
    const prepare = async (): Promise<unknown> => await prepareRun({ uri: {} } as never, sources as never);
    const refusal = await prepare().then(() => undefined, toFailure);
    assert.equal(refusal?.kind === "refused" ? refusal.reason : refusal, "Requests are not sent in Restricted Mode.");
    assert.equal(touched.length, 0, touched.join());
    isTrusted = true;
    assert.equal(await prepare(), undefined);
    assert.ok(touched.includes("connect"));
  });
});
