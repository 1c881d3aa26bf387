import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { allMethods, type Service } from "../../../../src/catalogue/index.ts";
import { loadFiles, offerWarnings } from "../../../../src/cli/files.ts";
import { methodNameSuggestions } from "../../../../src/present/requests/requestSnippets.ts";
import {
  checkFile,
  checkInSteps,
  isShownByEditor,
  type KeptFindings,
} from "../../../../src/requests/checking/check.ts";
import { serviceOfFile } from "../../../../src/requests/checking/serviceOfFile.ts";
import { cursorAt } from "../../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { allAtOnce } from "../../../../src/base/slices.ts";
import { disk } from "../../cli/disk.ts";

/* Request files for the partner's gateway: checked by what is known of that server, and of the exchange elsewhere. */

/** Returns the problems of a request for a kind of server: severity, code, and sentence. */
function problemsFor(service: Service, request: object): readonly string[] {
  return checkFile(scanRequests(JSON.stringify(request)), undefined, service).map(
    ({ severity, code, message }) => `${severity} ${code}: ${message}`,
  );
}

const ISOLATED = {
  method: "private/buy",
  params: { instrument_name: "BTC_USDC-PERPETUAL", amount: 1, isolated: true, allocated_margin: 50 },
};

describe("the check for a kind of server", () => {
  test("warns of a method that it is not known to offer", () => {
    const mmp = { method: "private/get_mmp_config", params: {} };
    assert.deepEqual(problemsFor("gateway", mmp), [
      "warning notOffered: The Coinbase gateway doesn't offer private/get_mmp_config.",
    ]);
    assert.deepEqual(problemsFor("native", mmp), []);
    const limits = { method: "private/get_trading_limits", params: { currency: "USDC" } };
    assert.deepEqual(problemsFor("gateway", limits), []);
    assert.deepEqual(problemsFor("native", limits), [
      "warning notOffered: Only the Coinbase gateway is known to offer private/get_trading_limits.",
    ]);
  });

  test("warns of a parameter that it is not known to take", () => {
    assert.deepEqual(problemsFor("gateway", ISOLATED), []);
    assert.deepEqual(problemsFor("native", ISOLATED).toSorted(), [
      "warning notOffered: Only the Coinbase gateway is known to take allocated_margin. It is sent as written.",
      "warning notOffered: Only the Coinbase gateway is known to take isolated. It is sent as written.",
    ]);
    assert.deepEqual(problemsFor("gateway", { method: "private/subscribe", params: { channels: ["a"], label: "x" } }), [
      "warning notOffered: The Coinbase gateway doesn't document label. It is sent as written.",
    ]);
    assert.deepEqual(problemsFor("gateway", { ...ISOLATED, params: { ...ISOLATED.params, isolated: "yes" } }), [
      'error params: isolated: expected true or false, got "yes"',
    ]);
    // The flag of the other group of methods has no effect, which is said as before.
    const flags = { method: "private/cancel", params: { order_id: "1", include_isolated: true } };
    assert.match(problemsFor("gateway", flags).join(), /^warning params: .*include_isolated/);
  });

  test("is a warning that VS Code does not show already, for each method of the list", () => {
    const names = allMethods().flatMap(({ name, onlyAt, effect }) =>
      onlyAt === "native" && effect !== "session" ? [name] : [],
    );
    assert.equal(names.length, 86);
    for (const method of names) {
      const found = checkFile(scanRequests(JSON.stringify({ method })), undefined, "gateway");
      const told = found.filter(({ code }) => code === "notOffered");
      assert.deepEqual(
        told.map(({ severity }) => severity),
        ["warning"],
        method,
      );
      assert.ok(!told.some(isShownByEditor), method);
    }
  });

  test("is made anew when the file is for another kind of server", () => {
    const file = scanRequests('{ "method": "private/get_mmp_config" }');
    const kept: KeptFindings = new WeakMap();
    const codes = (service: Service): readonly string[] =>
      allAtOnce(checkInSteps(file, { known: undefined, service, kept, isFirst: () => false })).map(({ code }) => code);
    assert.deepEqual([codes("native"), codes("gateway"), codes("native")], [[], ["notOffered"], []]);
  });
});

describe("the kind of server that a file is for", () => {
  const target = (environment: "production" | "gateway" | "simulator", isGateway: boolean) =>
    ({
      environment,
      record: {
        id: "1",
        name: "a",
        declared: environment,
        url: "",
        grant: isGateway ? "cdp_key" : "none",
        clientId: "",
      },
      state: { status: "off" },
    }) as const;

  for (const [file, connection, service] of [
    ["{}", undefined, "native"],
    ['{"$file":{"env":["gateway"]}}', undefined, "gateway"],
    ['{"$file":{"env":["gateway","prod"]}}', undefined, "native"],
    ["{}", target("gateway", true), "gateway"],
    ["{}", target("simulator", true), "gateway"],
    ['{"$file":{"env":["gateway"]}}', target("production", false), "gateway"],
    ['{"$file":{"env":["prod"]}}', target("gateway", true), "native"],
    ["{}", target("production", false), "native"],
  ] as const)
    test(`${file} with ${connection?.environment ?? "no connection"} is checked for ${service}`, () => {
      const text = `{"method":"public/test",${file.slice(1)}`.replace(",}", "}");
      assert.equal(serviceOfFile(scanRequests(text), connection), service);
    });
});

test("completion marks what the server doesn't offer, and has it last", () => {
  const text = '{ "method": "" }';
  const cursor = cursorAt(scanRequests(text), text.indexOf('""') + 1);
  assert.ok(cursor);
  const described = (service?: Service): ReadonlyMap<string, string> =>
    new Map(
      methodNameSuggestions(cursor, service === undefined ? {} : { service }).map(({ label, description }) => [
        label,
        description,
      ]),
    );
  const marked = (service?: Service): readonly string[] =>
    [...described(service)].flatMap(([name, words]) => (words.startsWith("Not offered here · ") ? [name] : []));
  assert.deepEqual(marked(), []);
  assert.equal(marked("native").length, 7);
  const atGateway = marked("gateway");
  assert.equal(atGateway.length, 87, "all but fork_token, which no file can send");
  assert.deepEqual([...described("gateway").keys()].slice(-atGateway.length), atGateway);
});

async function unused(): Promise<never> {
  return await Promise.reject(new Error("Nothing is written."));
}

test("a run in a terminal warns of each with its place", async () => {
  const texts = {
    "/work/a.rpc.json": '[\n  { "method": "public/get_time" },\n  { "method": "private/get_mmp_config" }\n]',
  };
  const loading = await loadFiles(["a.rpc.json"], {
    ...disk(texts),
    ...{ write: unused, tryWrite: unused, createPrivate: unused },
  });
  assert.ok(loading.kind === "loaded");
  assert.deepEqual(offerWarnings(loading.files, { environment: "gateway" }), [
    plain`a.rpc.json:3:15  The Coinbase gateway doesn't offer private/get_mmp_config.`,
  ]);
  assert.deepEqual(offerWarnings(loading.files, { environment: "production" }), []);
});
