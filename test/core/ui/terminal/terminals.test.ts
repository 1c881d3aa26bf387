import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import { describe, test } from "vitest";
import { TERMINAL_VARIABLES } from "../../../../src/session/tokenRequest.ts";
import type { Terminals } from "../../../../src/ui/terminal/terminals.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { useEditor } from "../../../editorStandIn.ts";

/* The profile of a terminal: whom it is for, what its environment has, and what is left when it is closed. */

interface Options {
  readonly name: string;
  readonly isTransient: boolean;
  readonly env: Readonly<Record<string, string>>;
}

let isTrusted = true;
let closeTerminal = (_terminal: { readonly creationOptions: object }): void => undefined;

describe("the terminal profile", () => {
  useEditor({
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
    },
    window: {
      onDidCloseTerminal(listener: typeof closeTerminal) {
        closeTerminal = listener;
        return { dispose: () => undefined };
      },
    },
    TerminalProfile: class {
      readonly options: Options;
      constructor(options: Options) {
        this.options = options;
      }
    },
  });

  const open = async (isElsewhere = false): Promise<Terminals> =>
    (await import("../../../../src/ui/terminal/terminals.ts")).createTerminals({
      settings: { safety: () => ({ allowTrading: "ask" }) },
      programFolder: "/extension/bin",
      isElsewhere,
      clock: createFakeClock(),
      connections: { list: [] },
      liveConnections: {
        find: () => undefined,
        lendToken: async () => await Promise.reject(new Error("no connection")),
      },
      ask: async () => await Promise.resolve(false),
    });
  const optionsOf = async (terminals: Terminals): Promise<Options> => (await terminals.profile()).options as Options;
  const folders = (): readonly string[] =>
    fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith("trading-rpc-"));

  test("has the program first on the path, a socket, and a key, each terminal its own", async () => {
    const terminals = await open();
    const [one, other] = [await optionsOf(terminals), await optionsOf(terminals)];
    assert.deepEqual(Object.keys(one.env).sort(), ["PATH", ...Object.values(TERMINAL_VARIABLES)].sort());
    assert.match(one.env["PATH"] ?? "", /^\/extension\/bin[:;]\$\{env:PATH\}$/);
    assert.equal(one.env[TERMINAL_VARIABLES.node], process.execPath);
    assert.match(one.env[TERMINAL_VARIABLES.key] ?? "", /^[0-9a-f]{64}$/);
    for (const name of [TERMINAL_VARIABLES.key, TERMINAL_VARIABLES.socket])
      assert.notEqual(one.env[name], other.env[name]);
    assert.ok(one.isTransient, "VS Code would restore it with a socket that is gone");
    terminals.dispose();
  });

  test("a terminal that is closed takes its socket along, and no other one", async () => {
    const terminals = await open();
    const [one, other] = [await optionsOf(terminals), await optionsOf(terminals)];
    const isThere = ({ env }: Options): boolean => fs.existsSync(env[TERMINAL_VARIABLES.socket] ?? "");
    closeTerminal({ creationOptions: { name: "another" } });
    closeTerminal({ creationOptions: { env: { PATH: "" } } });
    closeTerminal({ creationOptions: { env: undefined } });
    assert.deepEqual([isThere(one), isThere(other)], [true, true]);
    closeTerminal({ creationOptions: one });
    assert.deepEqual([isThere(one), isThere(other)], [false, true]);
    terminals.dispose();
    assert.equal(isThere(other), false);
  });

  const NONE: readonly [string, boolean, boolean, string][] = [
    [
      "no terminal has the profile in Restricted Mode",
      false,
      false,
      "The terminal profile Trading RPC is not available in Restricted Mode.",
    ],
    [
      "nor where terminals run on another computer",
      true,
      true,
      "Terminals of this window run on another computer. Install Trading RPC there to use its terminal profile.",
    ],
  ];
  for (const [title, trusted, isElsewhere, sentence] of NONE)
    test(title, async () => {
      isTrusted = trusted;
      const before = folders();
      const terminals = await open(isElsewhere);
      await assert.rejects(terminals.profile(), { message: sentence });
      assert.deepEqual(folders(), before);
      terminals.dispose();
    });
});
