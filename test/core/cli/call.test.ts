import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { readArguments } from "../../../src/cli/arguments.ts";
import { CALL_OPTIONS } from "../../../src/cli/call/callArguments.ts";
import { readCallRequest } from "../../../src/cli/call/callRequest.ts";
import { bashCompletion } from "../../../src/cli/call/completion.ts";

const SECRET = "canary8Kq2Vx5Lr9Tz4Wm7";

/** A call that was read: its parameters, or the sentence about what is wrong. */
async function read(...words: readonly string[]): Promise<string> {
  return await readAt("test", ...words);
}

async function readAt(environment: string, ...words: readonly string[]): Promise<string> {
  const line = readArguments(["call", ...words, "--env", environment]);
  if (line.kind !== "call") return line.kind === "wrong" ? line.message : line.kind;
  const reading = await readCallRequest(line.call, {
    environment: line.wishes.environment,
    readSecret: async (path) =>
      await Promise.resolve(
        path === "key" ? { secret: SECRET } : { problem: plain`${plain.text(path)} does not exist.` },
      ),
    askSecret: async () => await Promise.resolve(undefined),
  });
  if (reading.kind === "wrong") return reading.message;
  const [request] = reading.file.requests;
  return `${request?.paramsText ?? ""}${reading.warnings.map((each) => `\nWarning: ${each}`).join("")}`;
}

describe("the words of a call", () => {
  const BUY = ["private/buy", "instrument_name=BTC-PERPETUAL"];

  for (const [words, params] of [
    [["public/get_time"], "{}"],
    [["/api/v2/public/ticker", "instrument_name=BTC-PERPETUAL"], '{"instrument_name":"BTC-PERPETUAL"}'],
    [[...BUY, "amount=1.50e1", "label=5"], '{"instrument_name":"BTC-PERPETUAL","amount":1.50e1,"label":"5"}'],
    [[...BUY, "amount=1", "post_only=true"], '{"instrument_name":"BTC-PERPETUAL","amount":1,"post_only":true}'],
    [[...BUY, "amount=1", 'label=a "b" = c'], '{"instrument_name":"BTC-PERPETUAL","amount":1,"label":"a \\"b\\" = c"}'],
    [[...BUY, "amount=1", "label={{x}}"], '{"instrument_name":"BTC-PERPETUAL","amount":1,"label":"{{x}}"}'],
    [["private/cancel_all_by_kind_or_type", "currency=any"], '{"currency":"any"}'],
    [["private/cancel_all_by_kind_or_type", 'currency=["BTC", "ETH"]'], '{"currency":["BTC","ETH"]}'],
    [
      ["public/get_time", "--json", '{ "far": 9007199254740993 }'],
      /^\{ ?"far": ?9007199254740993 ?\}\nWarning: --json, far: /,
    ],
    [["private/unheard_of", "--json", "{}"], /^\{\}\nWarning: Unknown method private\/unheard_of\./],
    [["private/invalidate_block_trade_signature", "signature=@key"], '{"signature":"{{$ask.signature}}"}'],
  ] as const)
    test(`${words.join(" ")} is read by the types of the method`, async () => {
      const found = await read(...words);
      if (typeof params === "string") assert.equal(found, params);
      else assert.match(found, params);
    });

  for (const [words, sentence] of [
    [[], "Specify a method: trading-rpc call public/get_time --env sim."],
    [["public/tickr"], /^Unknown method public\/tickr\. Did you mean public\/ticker, .*--json\.$/],
    [["ticker"], /^Unknown method ticker\. Did you mean public\/ticker\?/],
    [["public/subscribe", 'channels=["a"]'], /^public\/subscribe is about channels\./],
    [["public/ticker"], "instrument_name is missing"],
    [[...BUY, "amount=ten"], 'amount (value 2): expected a number, not "ten".'],
    [[...BUY, "amount=0x10"], 'amount (value 2): expected a number, not "0x10".'],
    [[...BUY, "amount="], 'amount (value 2): expected a number, not "".'],
    [[...BUY, "amount=1", "post_only=yes"], 'post_only (value 3): expected true or false, not "yes".'],
    [["private/get_account_summaries", "subaccount_id=1.5"], /^subaccount_id \(value 1\): expected a whole number/],
    [["public/get_time", "a=1"], "a (value 1): public/get_time has no parameters."],
    [[...BUY, "amout=1"], "amout (value 2): unknown parameter. Did you mean amount?"],
    [[...BUY, "unheard_of=1"], /^unheard_of \(value 2\): unknown parameter of private\/buy\..*--json\.$/],
    [[...BUY, "instrument_name=B"], "instrument_name (value 2) is given twice."],
    [[...BUY, "10"], 'Value 2: expected name=value, not "10".'],
    [["public/get_time", "--json", "[]"], /^--json needs a JSON object/],
    [["public/get_time", "--json", "{'a':1}"], /^--json needs a JSON object/],
    [["public/get_time", "--json", '{}, "method": "private/buy"'], /^--json needs a JSON object/],
    [["public/get_time", "--json", "{}", "--json", "{}"], "--json is given twice."],
    [["public/get_time", "--json", '{\n "a":1, "a":2}'], /^--json:2:\d+: Duplicate key a:/],
    [["public/ticker", "--json", '{"instrument_name":7}'], /^--json, instrument_name: .*expected a string/],
    [[...BUY, "--json", "{}"], "--json has all parameters. Remove it, or remove instrument_name."],
    [
      ["public/get_time", "--json", JSON.stringify({ a: "x".repeat(33_000) })],
      /^--json: the parameters have 33,008 bytes/,
    ],
    [
      [...BUY, `label=${"ä".repeat(17_000)}`],
      /^label \(value 2\): the parameters have 34,\d{3} bytes, and a call can have up to 32,768\.$/,
    ],
    [[...BUY, "--var", "a=1"], /^--var is not a trading-rpc call option\./],
    [["private/invalidate_block_trade_signature"], /^signature is a secret that is required\..*signature=@FILE\.$/],
    [["private/invalidate_block_trade_signature", "signature=@none"], "signature (value 1): none does not exist."],
  ] as const)
    test(`${words.join(" ").slice(0, 80)} ends before anything is dialled, with the place`, async () => {
      const found = (await read(...words)).replaceAll(/[\u202f\u00a0]/g, ",");
      if (typeof sentence === "string") assert.equal(found, sentence);
      else assert.match(found, sentence);
    });

  test("braces in the text of a call are text", async () => {
    const json = { method: "private/buy", values: [], json: '{"instrument_name":"{{y}}","amount":1}' };
    const ports = {
      environment: "test" as const,
      readSecret: async () => await Promise.resolve({ secret: SECRET }),
      askSecret: async () => await Promise.resolve(undefined),
    };
    const reading = await readCallRequest(json, ports);
    assert.ok(reading.kind === "request");
    assert.equal(reading.file.requests[0]?.run.isRaw, true);
    assert.deepEqual(reading.file.pin, { kind: "only", environments: ["test"] });
  });

  for (const words of [
    ["private/invalidate_block_trade_signature", `signature=${SECRET}`],
    ["private/create_api_key", "max_scope=account:read", `authorization_data=${SECRET}`],
    ["private/unheard_of", "--json", JSON.stringify({ deep: [{ client_secret: SECRET }] })],
    ["public/get_time", "--client-secret", SECRET],
  ])
    test(`a secret in an argument is refused and not shown: ${words.slice(0, -1).join(" ")}`, async () => {
      const found = await read(...words);
      assert.match(found, /secret/);
      assert.ok(!found.includes(SECRET), found);
    });
});

describe("completion for bash", () => {
  const hasBash = spawnSync("bash", ["--version"]).status === 0;
  const complete = (line: string, breaks = " =:"): readonly string[] => {
    const script = `${bashCompletion()}
COMP_WORDBREAKS=$2 COMP_LINE=$1 COMP_POINT=\${#1}
_trading_rpc
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", line, breaks], { encoding: "utf8" });
    assert.equal(stderr.replaceAll(/.*compopt.*\n/g, ""), "");
    return stdout.split("\n").filter((each) => each !== "");
  };

  for (const [line, found] of [
    ["trading-rpc c", ["call", "check", "completion"]],
    ["trading-rpc completion ", ["bash"]],
    ["trading-rpc call public/tick", ["public/ticker", "public/tickers_by_currency"]],
    ["trading-rpc methods public/get_time", ["public/get_time"]],
    ["trading-rpc call public/ticker ", ["instrument_name="]],
    ["trading-rpc call public/ticker instrument_name=B ", []],
    ["trading-rpc call private/buy type=st", ["stop_limit", "stop_market"]],
    ["trading-rpc call private/buy post_only=", ["true", "false"]],
    ["trading-rpc call private/invalidate_block_trade_signature s", ["signature=@"]],
    ["trading-rpc call private/buy --env ", ["sim", "test", "prod", "gateway"]],
    ["trading-rpc run --ba", ["--bail"]],
    ["trading-rpc run examples/", []],
    ["trading-rpc stress --max-o", ["--max-open-orders", "--max-order"]],
    ["trading-rpc au", ["audit"]],
    ["trading-rpc audit --max-", ["--max-order", "--max-data-age"]],
    ["trading-rpc record --pr", ["--proxy"]],
  ] as const)
    test(`${line}…`, { skip: !hasBash }, () => assert.deepEqual(complete(line), found));

  test("where an equals sign is part of a word, a value comes with its name", { skip: !hasBash }, () =>
    assert.deepEqual(complete("trading-rpc call private/buy type=st", " "), ["type=stop_limit", "type=stop_market"]),
  );

  test("a call has the options that its help lists", { skip: !hasBash }, () =>
    assert.deepEqual(complete("trading-rpc call public/ticker --"), [...CALL_OPTIONS, "--json", "--help"]),
  );
});

describe("a call at the gateway", () => {
  test("has the parameters of the gateway", async () => {
    const words = ["private/cancel", "order_id=ETH-1", "isolated=true"];
    assert.equal(await readAt("gateway", ...words), '{"order_id":"ETH-1","isolated":true}');
    assert.match(await readAt("prod", ...words), /^isolated \(value 2\): unknown parameter of private\/cancel\./);
    assert.equal(
      await readAt("prod", "private/cancel", "--json", '{"order_id":"ETH-1","isolated":true}'),
      '{"order_id":"ETH-1","isolated":true}\nWarning: --json:1:21: Only the Coinbase gateway is known to take isolated. It is sent as written.',
    );
  });

  test("of a method that isn't offered there is sent with a warning", async () => {
    const sentence = "The Coinbase gateway doesn't offer private/get_mmp_config.";
    assert.equal(await readAt("gateway", "private/get_mmp_config"), `{}\nWarning: ${sentence}`);
    assert.equal(await readAt("prod", "private/get_mmp_config"), "{}");
  });
});
