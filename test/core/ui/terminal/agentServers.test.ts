import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { createEmitter, type Emitter } from "../../../../src/base/emitter.ts";
import { CallError } from "../../../../src/base/failure.ts";
import { borrowToken } from "../../../../src/cli/borrowedToken.ts";
import { readMcp, type McpWishes } from "../../../../src/cli/mcp/mcpArguments.ts";
import { connectPrivately } from "../../../../src/cli/machine/privateSocket.ts";
import { TERMINAL_VARIABLES } from "../../../../src/session/tokenRequest.ts";
import { simulatorRecord, type ConnectionRecord } from "../../../../src/state/records.ts";
import { createAgentAccess } from "../../../../src/ui/connections/agentAccess.ts";
import { askAboutAgents } from "../../../../src/ui/connections/agentSharing.ts";
import type { AgentServersUi } from "../../../../src/ui/terminal/agentServers.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { createFakeClock } from "../../../fakeClock.ts";

/* The MCP servers that VS Code offers: off at first, one for each connection that the user has named. */

interface Definition {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  env: Readonly<Record<string, string | number | null>>;
}

const MAIN: ConnectionRecord = {
  ...{ id: "main", name: "main", declared: "production", grant: "client_signature", clientId: "key" },
  url: "wss://www.deribit.com/ws/api/v2",
};
const PUBLIC: ConnectionRecord = { ...MAIN, id: "public", name: "public", grant: "none", clientId: "" };
const GATEWAY: ConnectionRecord = {
  ...{ id: "gateway", name: "partner", declared: "gateway", grant: "cdp_key", clientId: "organizations/a/apiKeys/b" },
  url: "wss://drb.coinbase.com/ws/api/v2",
};

let isTrusted = true;

describe("MCP servers for agents", { skip: process.platform === "win32" }, () => {
  useEditor({
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
    },
    McpStdioServerDefinition: class implements Definition {
      readonly label: string;
      readonly command: string;
      readonly args: readonly string[];
      env: Definition["env"];
      constructor(...[label, command, args, env]: [string, string, readonly string[], Definition["env"]]) {
        [this.label, this.command, this.args, this.env] = [label, command, args, env];
      }
    },
  });

  async function openLab() {
    isTrusted = true;
    const questions: Question[] = [];
    const kept = new Map<string, unknown>();
    const lab = { isOn: false, isAgreeing: true, isReady: true, list: [simulatorRecord(), MAIN, PUBLIC, GATEWAY] };
    const lent: string[] = [];
    const ends: string[] = [];
    const settingChanges: Emitter<void> = createEmitter();
    const listChanges: Emitter<void> = createEmitter();
    const closed: Emitter<{ readonly record: ConnectionRecord }> = createEmitter();
    const agentAccess = createAgentAccess({
      settings: {
        isServingAgents: () => lab.isOn,
        serveAgents: async () => {
          lab.isOn = true;
          await Promise.resolve();
        },
      },
      state: {
        get: (key) => kept.get(key),
        update: async (key, value) => {
          kept.set(key, value);
          await Promise.resolve();
        },
      },
    });
    /** Runs the command about a connection. */
    const askAbout = async (record: ConnectionRecord): Promise<void> =>
      await askAboutAgents(record, {
        agentAccess,
        ask: async (question) => {
          questions.push(question);
          return await Promise.resolve(lab.isAgreeing);
        },
      });
    const liveOf = (record: ConnectionRecord): unknown => ({
      ...{ record, place: record.name, environment: record.declared, gate: {} },
      state: lab.isReady
        ? {
            ...{ status: "ready", generation: 1 },
            identity: { authentication: "key", scope: "account:read trade:read_write wallet:read_write" },
          }
        : { status: "off" },
    });
    const lives = new Map<string, unknown>(lab.list.map((record) => [record.id, liveOf(record)]));
    const ui = {
      ...{ agentAccess, clock: createFakeClock(), programFile: "/extension/dist/cli.js", version: "1.0.0" },
      ask: async () => await Promise.reject(new Error("no dialog is shown for a program")),
      settings: { safety: () => ({ allowTrading: "ask" }) },
      onDidChangeSettings: settingChanges.event,
      connections: {
        get list() {
          return lab.list.map((record) => ({ record }));
        },
        onDidChange: listChanges.event,
      },
      liveConnections: {
        onDidClose: closed.event,
        find: (id: string) => (lab.isReady ? lives.get(id) : undefined),
        lendToken: async (live: { readonly record: ConnectionRecord }, scope: readonly string[]) => {
          lent.push(scope.join(" "));
          return await Promise.resolve({
            ...{ accessToken: "canary-token-5Kd8Zr", url: "ws://127.0.0.1:1/ws/api/v2", scope: scope.join(" ") },
            end: async () => {
              ends.push(live.record.id);
              await Promise.resolve();
            },
          });
        },
      },
    } as unknown as AgentServersUi;
    const servers = (await import("../../../../src/ui/terminal/agentServers.ts")).createAgentServers(ui);
    const definitions = (): readonly Definition[] => servers.definitions();
    return {
      ...{ lab, askAbout, servers, definitions, questions, lent, ends },
      settingsChanged: () => settingChanges.fire(),
      listChanged: () => listChanges.fire(),
      disconnected: (record: ConnectionRecord) => closed.fire({ record }),
      resolve: async (label: string): Promise<Definition> => await servers.resolve({ label } as never),
      /** Asks for a token as the program of a definition does. */
      borrow: async (
        { args, env }: Definition,
        change: { readonly connection?: string; readonly scope?: readonly string[] } = {},
      ) => {
        const wishes = readMcp(args.slice(2)) as McpWishes;
        return await borrowToken(
          { ...wishes, paths: ["mcp"], scope: [], ...change },
          {
            ...{ variables: env as Record<string, string>, folder: "/work", connectPrivately, tell: () => undefined },
            stop: new AbortController().signal,
          },
        );
      },
    };
  }

  test("are none until the setting is on and a connection is named", async () => {
    const { lab, definitions } = await openLab();
    assert.deepEqual(definitions(), []);
    lab.isOn = true;
    assert.deepEqual(definitions(), []);
  });

  test("a real connection is shared after a dialog that names it and says where the data goes", async () => {
    const { lab, askAbout, definitions, questions } = await openLab();
    lab.isAgreeing = false;
    await askAbout(MAIN);
    assert.deepEqual([lab.isOn, definitions()], [false, []]);
    lab.isAgreeing = true;
    await askAbout(MAIN);
    assert.equal(lab.isOn, true);
    assert.deepEqual(questions[1], {
      kind: "modal",
      message: "Share PRODUCTION main with agents?",
      detail:
        "VS Code offers an MCP server for main while it is connected. Agents can read orders, positions, balances, and trades, and can't change anything. What they read is sent to your model provider.",
      confirm: "Share Connection",
      keep: "Keep Private",
    });
    const [one, ...others] = definitions();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.label, one?.command, one?.args],
      ["PRODUCTION main", process.execPath, ["/extension/dist/cli.js", "mcp", "--env", "prod", "--connection", "main"]],
    );
    // Nothing by which it gets at the account, and nothing that the user has set for terminals.
    assert.deepEqual(
      Object.entries(one?.env ?? {}).filter(([, value]) => value !== null),
      [["ELECTRON_RUN_AS_NODE", "1"]],
    );
    assert.equal(one?.env["TRADING_RPC_PROD_CLIENT_SECRET"], null);
  });

  test("what was shared before the setting was turned off is not shared with the next connection", async () => {
    const { lab, askAbout, definitions } = await openLab();
    await askAbout(MAIN);
    lab.isOn = false;
    assert.deepEqual(definitions(), []);
    await askAbout(simulatorRecord());
    assert.deepEqual(
      definitions().map(({ label }) => label),
      ["SIMULATOR"],
    );
  });

  for (const [record, sentence] of [
    [PUBLIC, "Only connections with an API key can be used, because only these can limit the scopes."],
    [GATEWAY, "Connections to the Coinbase gateway can't be shared with agents."],
    [
      { ...MAIN, id: "other", declared: "simulator", url: "ws://127.0.0.1:9/ws/api/v2" },
      "Of the simulators, only the built-in one can be shared with agents.",
    ],
  ] as const)
    test(`${record.name} on ${record.declared} can't be shared`, async () => {
      const { askAbout, questions, definitions } = await openLab();
      await assert.rejects(askAbout(record), (error: unknown) => {
        assert.ok(error instanceof CallError && error.failure.kind === "refused");
        assert.equal(error.failure.reason, sentence);
        return true;
      });
      assert.deepEqual([questions, definitions()], [[], []]);
    });

  test("the program of a server gets a token with read scopes, without a dialog, and no other connection's", async () => {
    const lab = await openLab();
    await lab.askAbout(MAIN);
    const definition = await lab.resolve("PRODUCTION main");
    assert.deepEqual(
      Object.keys(definition.env)
        .filter((name) => definition.env[name] !== null && name.includes("VSCODE"))
        .sort(),
      [TERMINAL_VARIABLES.key, TERMINAL_VARIABLES.socket],
    );
    assert.ok(!JSON.stringify(definition.args).includes(String(definition.env[TERMINAL_VARIABLES.key])));
    const borrowing = await lab.borrow(definition);
    assert.ok(borrowing.kind === "lent");
    assert.deepEqual(lab.lent, ["account:read trade:read wallet:read"]);
    assert.deepEqual([borrowing.isBuiltIn, borrowing.grantedScope], [false, "account:read trade:read wallet:read"]);
    borrowing.release();
    for (const change of [{ scope: ["trade:read_write"] }, { scope: ["trade:read"] }, { connection: "Simulator" }]) {
      const refused = await lab.borrow(definition, change);
      assert.ok(refused.kind === "failed");
      assert.equal(refused.message, "This program gets read scopes of main alone.");
    }
    assert.equal(lab.lent.length, 1);
    lab.servers.dispose();
  });

  test("the program of the simulator's server gets the scopes to trade, and is told that it is ours", async () => {
    const lab = await openLab();
    await lab.askAbout(simulatorRecord());
    const [{ label } = { label: "" }] = lab.definitions();
    const borrowing = await lab.borrow(await lab.resolve(label), { scope: ["account:read", "trade:read_write"] });
    assert.ok(borrowing.kind === "lent", JSON.stringify(borrowing));
    assert.equal(borrowing.isBuiltIn, true);
    assert.deepEqual(lab.lent, ["account:read trade:read_write"]);
    borrowing.release();
    lab.servers.dispose();
  });

  const ENDS: readonly (readonly [string, (lab: Awaited<ReturnType<typeof openLab>>) => Promise<void>])[] = [
    ["it is not shared any more", async ({ askAbout }) => await askAbout(MAIN)],
    [
      "the setting is switched off",
      async ({ lab, settingsChanged }) => {
        lab.isOn = false;
        settingsChanged();
        await Promise.resolve();
      },
    ],
    [
      "the connection becomes another one",
      async ({ lab, listChanged }) => {
        lab.list = [{ ...MAIN, url: "wss://elsewhere.example/ws/api/v2" }];
        listChanged();
        await Promise.resolve();
      },
    ],
    [
      "the connection is closed",
      async ({ disconnected }) => {
        disconnected(MAIN);
        await Promise.resolve();
      },
    ],
    [
      "the window closes",
      async ({ servers }) => {
        servers.dispose();
        await Promise.resolve();
      },
    ],
  ];
  for (const [what, act] of ENDS)
    test(`the token ends and its socket is gone when ${what}`, async () => {
      const lab = await openLab();
      await lab.askAbout(MAIN);
      const definition = await lab.resolve("PRODUCTION main");
      const borrowing = await lab.borrow(definition);
      assert.equal(borrowing.kind, "lent");
      await act(lab);
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (lab.ends.length > 0) resolve();
          else setImmediate(look);
        };
        look();
      });
      assert.deepEqual(lab.ends, ["main"]);
      assert.equal(fs.existsSync(String(definition.env[TERMINAL_VARIABLES.socket])), false);
      lab.servers.dispose();
    });

  test("a server is not started without a trusted folder, an open connection, or a share", async () => {
    const { lab, askAbout, definitions, resolve, questions } = await openLab();
    await assert.rejects(resolve("PRODUCTION main"), { message: "PRODUCTION main is not shared with agents." });
    await askAbout(MAIN);
    isTrusted = false;
    assert.deepEqual(definitions(), []);
    await assert.rejects(resolve("PRODUCTION main"), { message: "PRODUCTION main is not shared with agents." });
    isTrusted = true;
    lab.isReady = false;
    await assert.rejects(resolve("PRODUCTION main"), {
      message: "The connection main is not open in this window of VS Code. Connect it and try again.",
    });
    await askAbout(MAIN);
    assert.equal(questions.at(-1)?.message, "Stop sharing PRODUCTION main with agents?");
    assert.deepEqual(definitions(), []);
  });
});
