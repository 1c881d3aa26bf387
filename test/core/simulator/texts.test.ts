import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readCommandLine, DEFAULT_OPTIONS } from "../../../src/simulator/wire/commandLine.ts";
import { httpStatus, readHttpRequest, type HttpReading } from "../../../src/simulator/wire/httpRequests.ts";
import { textFrame } from "../../../src/simulator/wire/server.ts";
import { roundTo, writeJson, type Json } from "../../../src/simulator/text/json.ts";

describe("JSON as the exchange writes it", () => {
  const cases: readonly [Json, string][] = [
    [{ amount: 2, filled: 0 }, '{"amount":2.0,"filled":0}'],
    [{ amount: 0.5 }, '{"amount":0.5}'],
    [1e-8, "1.0e-8"],
    [1.5e-7, "1.5e-7"],
    [9007199254740993n, "9007199254740993"],
    [{ a: undefined, b: null, c: [true, "ž\n"] }, '{"b":null,"c":[true,"ž\\n"]}'],
  ];
  for (const [value, text] of cases) {
    test(text, () => {
      assert.equal(writeJson(value, new Set(["amount"])), text);
    });
  }

  test("rounding leaves no dust", () => {
    assert.deepEqual(
      [roundTo(0.1 + 0.2, 0.1), roundTo(2100.07, 0.05), roundTo(1234.5, 10), roundTo(0.00012, 0.0001)],
      [0.3, 2100.05, 1230, 0.0001],
    );
  });
});

describe("a frame of a text", () => {
  const lengths: readonly [bytes: number, start: string][] = [
    [0, "8100"],
    [125, "817d"],
    [126, "817e007e"],
    [0xffff, "817effff"],
    [0x10000, "817f0000000000010000"],
  ];
  for (const [bytes, start] of lengths) {
    test(`${bytes} bytes`, () => {
      const text = "a".repeat(bytes);
      assert.equal(textFrame(text).toString("hex"), start + Buffer.from(text).toString("hex"));
    });
  }

  test("a text that is not ASCII is as long as its bytes", () => {
    assert.equal(textFrame("ž€").toString("hex"), `8105${Buffer.from("ž€").toString("hex")}`);
  });
});

describe("command line", () => {
  const right: readonly [string, object][] = [
    ["", { ...DEFAULT_OPTIONS }],
    [
      "--port 0 --seed 1 --orders 300 --updates 2000 --limits off",
      {
        port: 0,
        seed: 1,
        orders: 300,
        updatesPerSecond: 2000,
        still: false,
        limits: false,
        contractOnly: false,
        routedSpot: false,
        gateway: false,
        odd: false,
        publicKeyFile: undefined,
        accountFile: undefined,
        faultFile: undefined,
        observed: undefined,
        replay: undefined,
      },
    ],
    ["--gateway", { ...DEFAULT_OPTIONS, gateway: true }],
    ["--routed-spot", { ...DEFAULT_OPTIONS, routedSpot: true }],
    ["--contract-only", { ...DEFAULT_OPTIONS, contractOnly: true }],
    ["--odd", { ...DEFAULT_OPTIONS, odd: true }],
    ["--public-key key.pem", { ...DEFAULT_OPTIONS, publicKeyFile: "key.pem" }],
    ["--account rich.json", { ...DEFAULT_OPTIONS, accountFile: "rich.json" }],
    ["--port=80 --still", { ...DEFAULT_OPTIONS, port: 80, still: true }],
  ];
  for (const [line, options] of right) {
    test(`reads ${JSON.stringify(line)}`, () => {
      assert.deepEqual(readCommandLine(words(line)), { kind: "run", json: false, options });
    });
  }

  test("--json and --help", () => {
    assert.deepEqual(readCommandLine(["--json"]), { kind: "run", json: true, options: DEFAULT_OPTIONS });
    assert.deepEqual(readCommandLine(["--port", "1", "--help"]), { kind: "help" });
  });

  const wrong: readonly [string, string][] = [
    ["--prot 1", '"--prot" is not a simulator option. Use --help to list the options.'],
    ["8765", '"8765" is not a simulator option. Use --help to list the options.'],
    ["--port", "--port requires a whole number from 0 to 65535, not nothing."],
    ["--port 65536", '--port requires a whole number from 0 to 65535, not "65536".'],
    ["--seed 1.5", '--seed requires a whole number from 0 to 4294967295, not "1.5".'],
    ["--orders -1", '--orders requires a whole number from 0 to 100000, not "-1".'],
    ["--updates 0", '--updates requires a whole number from 1 to 100000, not "0".'],
    ["--public-key", "--public-key requires a file."],
    ["--account", "--account requires a file."],
    ["--limits no", '--limits requires on or off, not "no".'],
    ["--still --updates 5", "--still and --updates can't be used together."],
  ];
  for (const [line, message] of wrong) {
    test(`refuses ${line}`, () => {
      assert.deepEqual(readCommandLine(words(line)), { kind: "wrong", message });
    });
  }

  function words(line: string): string[] {
    return line.split(" ").filter((word) => word !== "");
  }
});

describe("HTTP forms", () => {
  const request = (
    method: string,
    url: string,
    rest: { body?: string; contentType?: string; authorization?: string } = {},
  ): HttpReading =>
    readHttpRequest({ method, url, body: "", contentType: undefined, authorization: undefined, ...rest });
  const paramsOf = (reading: HttpReading): unknown =>
    reading.kind === "frame" ? (JSON.parse(reading.frame.text) as { params: unknown }).params : reading.kind;

  test("a query becomes parameters of the right types", () => {
    assert.deepEqual(
      paramsOf(
        request(
          "GET",
          "/api/v2/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL&count=3&start_seq=x",
        ),
      ),
      { instrument_name: "BTC-PERPETUAL", count: 3, start_seq: "x" },
    );
    assert.deepEqual(paramsOf(request("GET", "/api/v2/private/cancel?order_id=146062")), { order_id: "146062" });
    assert.deepEqual(paramsOf(request("GET", "/api/v2/public/auth?timestamp=5&nonce=5&grant_type=client_signature")), {
      timestamp: 5,
      nonce: "5",
      grant_type: "client_signature",
    });
  });

  test("a list is JSON text or a repeated key; one plain value is no list", () => {
    assert.deepEqual(paramsOf(request("GET", "/api/v2/public/subscribe?channels=a&channels=b")), {
      channels: ["a", "b"],
    });
    assert.deepEqual(paramsOf(request("GET", "/api/v2/public/subscribe?channels=%5B%22a%22%5D")), { channels: ["a"] });
    assert.deepEqual(paramsOf(request("GET", "/api/v2/public/subscribe?channels=a")), { channels: "a" });
    const edit = "/api/v2/private/edit_api_key?id=2&max_scope=";
    assert.deepEqual(paramsOf(request("GET", `${edit}%5B%22trade:read%22,%22account:read%22%5D`)), {
      id: 2,
      max_scope: ["trade:read", "account:read"],
    });
    assert.deepEqual(paramsOf(request("GET", `${edit}trade:read%20account:read`)), {
      id: 2,
      max_scope: "trade:read account:read",
    });
    assert.deepEqual(paramsOf(request("GET", `${edit}%5B5%5D`)), { id: 2, max_scope: "[5]" });
  });

  test("a body is taken as it is, by GET and POST, at the base path and at the method's", () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"public/test","params":{"x":1e-8}}';
    for (const method of ["GET", "POST"]) {
      assert.deepEqual(request(method, "/api/v2", { body, contentType: "application/json; charset=utf-8" }), {
        kind: "frame",
        frame: { text: body },
      });
      assert.deepEqual(
        request(method, "/api/v2/public/test", { body, contentType: "application/json", authorization: "bearer abc" }),
        {
          kind: "frame",
          frame: { text: body, addressedMethod: "public/test", bearer: "abc" },
        },
      );
    }
    assert.deepEqual(request("POST", "/api/v2", { body, contentType: "text/plain" }), { kind: "contentType" });
  });

  test("other paths and verbs are not found", () => {
    assert.deepEqual(
      [
        request("GET", "/"),
        request("GET", "/api/v3/public/test"),
        request("DELETE", "/api/v2/public/test"),
        request("POST", "/control/ledger"),
      ].map((each) => each.kind),
      ["notFound", "notFound", "notFound", "notFound"],
    );
  });

  test("the status follows from the error", () => {
    assert.deepEqual([undefined, -32602, 13009, 10028, 13004].map(httpStatus), [200, 400, 401, 429, 400]);
  });
});
