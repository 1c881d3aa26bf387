import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { effectOf } from "../../src/catalogue/index.ts";
import { runCommandLine } from "../../src/cli/main.ts";
import type { Shell } from "../../src/cli/shell.ts";
import type { GatewayBehaviour } from "../../src/simulator/access/gatewayAccess.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";

/* trading-rpc probe against a played gateway on loopback, whose ledger shows what was sent. */

interface Probed {
  readonly code: number;
  /** What was printed, and asked. */
  readonly told: string;
  /** The written files by path. */
  readonly files: ReadonlyMap<string, string>;
}

interface ProbeOptions {
  readonly words?: readonly string[];
  /** What the user types; undefined: no user is there. */
  readonly typed?: string | undefined;
  readonly variables?: Shell["variables"];
  readonly existing?: Readonly<Record<string, string>>;
}

describe("trading-rpc probe", () => {
  const clock = createSystemClock();
  let exchange: Exchange;
  let server: SimulatorServer;

  const open = async (behaviour: Partial<GatewayBehaviour> = {}): Promise<void> => {
    exchange = createExchange({ clock, random: createFakeRandom(7), still: true, gateway: behaviour });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
  };
  beforeEach(async () => await open());
  afterEach(async () => await server.close());

  const keyFile = (): string => {
    const { key } = server.addresses;
    return JSON.stringify({ name: key?.name, privateKey: key?.privateKey });
  };
  const probe = async ({ words, typed, variables, existing = {} }: ProbeOptions = {}): Promise<Probed> => {
    const files = new Map(Object.entries({ "/w/key.json": keyFile(), ...existing }));
    const kept = [...files.keys()];
    const printed: string[] = [];
    const keep = (text: string): void => void printed.push(text);
    const shell = {
      variables: variables ?? {
        TRADING_RPC_SIM_URL: server.addresses.webSocket,
        TRADING_RPC_SIM_KEY_FILE: "key.json",
      },
      ...{ clock, random: createFakeRandom(3), version: "0.2.0", stop: new AbortController().signal },
      ...{ writeOut: keep, writeError: keep },
      terminal: {
        isAttended: typed !== undefined,
        readLine: async (prompt: string) => {
          keep(prompt);
          return await Promise.resolve(typed);
        },
      },
      files: {
        workingFolder: "/elsewhere",
        resolve: (path: string) => `/w/${path}`,
        look: async (path: string) =>
          await Promise.resolve(
            files.has(path) ? { kind: "file", bytes: files.get(path)?.length ?? 0, isOpenToOthers: false } : undefined,
          ),
        read: async (path: string) => await Promise.resolve(files.get(path) ?? ""),
        write: async (path: string, text: string) => {
          files.set(path, text);
          await Promise.resolve();
        },
        tryWrite: async () => await Promise.resolve(),
      },
    } as unknown as Shell;
    const code = await runCommandLine(["probe", ...(words ?? ["--env", "sim", "--out", "report.md"])], shell);
    for (const path of kept) files.delete(path);
    return { code, told: printed.join(""), files };
  };
  const methods = (): readonly string[] => exchange.control.ledger().map(({ method = "" }) => method);

  test("after a typed yes it signs in and reads, changes nothing, and writes a report", async () => {
    const { code, told, files } = await probe({ typed: "yes" });
    assert.equal(code, 0, told);
    assert.match(
      told,
      /Probe 127\.0\.0\.1:\d+\?\n {2}It signs in six times, .*\n {2}It reads: private\/get_leverage, /,
    );
    assert.match(told, /Written to report\.md\. Read it before you attach it to an issue\.\n$/);
    assert.deepEqual([...files.keys()], ["/w/report.md"]);
    assert.ok(methods().length > 20);
    for (const method of methods()) assert.ok(["read", "session"].includes(effectOf(method)), method);
    assert.equal(methods().filter((method) => method === "public/auth").length, 6);
    const report = files.get("/w/report.md") ?? "";
    for (const line of [
      "- A usual sign-in: accepted. Members: expires_in, scope, sid, token_type. Lifetime: 3000 s.",
      "- A second sign-in with the same token: refused. Error 13004: invalid_credentials",
      "- A token with another address: accepted.",
      "- A token from a clock that is 30 s ahead: accepted.",
      "- A token that expired 30 s ago: accepted.",
      "- `private/get_mmp_config`: Error -32601: method not in allowlist",
      "- `private/get_leverage`: Error 13503: unavailable",
      "- `private/get_subaccounts`: `[{ ",
      "- `private/get_account_summaries`: `{ ",
      "## Still open",
      "- Response of a socket whose sign-in has expired",
    ])
      assert.ok(report.includes(line), `${line}\n\n${report}`);
  });

  test("what differs shows in the report", async () => {
    await server.close();
    await open({ takesJwtOnce: false, toleranceS: 10, givesSocketToken: true, scope: "rat#view" });
    const { files } = await probe({ typed: "yes" });
    const report = files.get("/w/report.md") ?? "";
    for (const line of [
      /A usual sign-in: accepted\. Members: .*access_token.* Scope: rat#view\./,
      /A second sign-in with the same token: accepted\./,
      /A token from a clock that is 30 s ahead: refused\. Error 13004/,
      /A token that expired 30 s ago: refused\. Error 13004/,
    ])
      assert.match(report, line);
  });

  test("keys, tokens, and values of the account are in no output and no report", async () => {
    const { told, files } = await probe({ typed: "yes" });
    const { key } = server.addresses;
    const sent = exchange.control.ledger().map(({ text }) => text);
    const tokens = sent.flatMap((text) => [...text.matchAll(/"token":"([^"]*)"/g)].map(([, token = ""]) => token));
    assert.equal(tokens.length, 6);
    const account = exchange.control.openOrders().map(({ order_id: id }) => id);
    const secrets = [
      ...(key?.privateKey.split("\n").filter((line) => line.length > 20 && !line.startsWith("---")) ?? []),
      ...tokens.flatMap((token) => [token, ...token.split(".")]),
      ...account,
    ];
    assert.ok(secrets.length > 12);
    const everything = [told, ...files.values()].join("\n");
    assert.deepEqual(
      secrets.filter((secret) => everything.includes(secret)),
      [],
    );
    assert.ok(!everything.includes(key?.name ?? "none"));
    // The shapes have no numbers but those of limits and sentences.
    for (const line of (files.get("/w/report.md") ?? "").split("\n"))
      assert.doesNotMatch(line.replace(/ · limits: .*$|^Written by .*$/, ""), /\d{6,}|\d\.\d{3,}|@\w|btc_usd/, line);
  });

  test("a key that is refused: the report says so, and the rest is not tried", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = JSON.stringify({
      name: server.addresses.key?.name,
      privateKey: privateKey.export({ type: "sec1", format: "pem" }),
    });
    const { code, told, files } = await probe({ typed: "yes", existing: { "/w/key.json": other } });
    assert.equal(code, 5, told);
    const report = files.get("/w/report.md") ?? "";
    assert.ok(report.includes("- A usual sign-in: refused. Error 13004: invalid_credentials"), report);
    assert.ok(report.includes("- A token with another address: not tried, because the usual one was refused."));
    assert.ok(report.includes("- `private/get_risk_profile`: not read"));
    assert.equal(methods().filter((method) => method === "public/auth").length, 2);
  });

  for (const [name, options, code, sentence] of [
    ["no", { typed: "no" }, 3, "Nothing was sent."],
    ["no user", { typed: undefined }, 3, "The probe needs a confirmation. Run it in a terminal."],
    [
      "no key file",
      { typed: "yes", words: ["--env", "gateway"], variables: {} },
      2,
      "The probe signs in with a key file. Set TRADING_RPC_GATEWAY_KEY_FILE to its path.",
    ],
    [
      "another environment",
      { typed: "yes", words: ["--env", "prod"] },
      2,
      "trading-rpc probe needs --env gateway, or --env sim for a simulator that plays the gateway.",
    ],
    [
      "a file that is there",
      { typed: "yes", existing: { "/w/report.md": "mine" } },
      2,
      "report.md exists already. Choose another file with --out.",
    ],
    [
      "a key of a simulator",
      { typed: "yes", words: ["--env", "gateway"], variables: { TRADING_RPC_GATEWAY_KEY_FILE: "key.json" } },
      2,
      "TRADING_RPC_GATEWAY_KEY_FILE: ",
    ],
  ] as const)
    test(`${name}: nothing is sent, and nothing is written`, async () => {
      const probed = await probe(options);
      assert.equal(probed.code, code, probed.told);
      assert.ok(probed.told.includes(sentence), probed.told);
      assert.deepEqual([methods(), probed.files.size], [[], 0]);
    });
});
