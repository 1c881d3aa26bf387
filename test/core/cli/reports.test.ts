import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { jsonReport } from "../../../src/cli/jsonReport.ts";
import { junitReport } from "../../../src/cli/writeReport.ts";
import {
  countVerdicts,
  EXIT,
  exitCodeOf,
  type TerminalReport,
  type StepReport,
  type StepVerdict,
} from "../../../src/cli/report.ts";
import { safeJson, xmlText } from "../../../src/cli/safeText.ts";
import { fileHeading, terminalStepText, summaryText, textReport } from "../../../src/cli/textReport.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { pluck } from "../../pluck.ts";
import { xmlProblems } from "./xml.ts";
import { asPlain } from "../../asPlain.ts";

const NASTY = '{"text":"\u009b2J\u202e\u{E0041} <&>]]>\\u001b","number":0.10,"id":123456789012345678901234567890}';

function step(verdict: StepVerdict, more: Partial<StepReport> = {}): StepReport {
  return {
    name: verdict,
    method: "private/get_open_orders",
    id: 1,
    place: { line: 2, column: 3 },
    verdict,
    isProvedByReading: false,
    change: undefined,
    sentence: "",
    failures: [],
    durationMs: 43.4,
    tries: 1,
    paramsText: '{"count":1e1}',
    response: undefined,
    ...more,
  };
}

const FAILED = step("failed", {
  failures: [
    {
      message: "result.price: expected 1, got <2>.",
      expected: "1",
      actual: "<2>",
      place: { line: 9, column: 20 },
      severity: "error",
    },
  ],
  response: { isError: false, bodyText: NASTY, receivedAtMs: 0, wireId: 7 },
});
const STEPS = [
  step("passed", { response: { isError: true, bodyText: NASTY, receivedAtMs: 1, wireId: 8 } }),
  FAILED,
  step("refused", { sentence: plain`Not allowed.` }),
  step("declined", { sentence: plain`You chose not to send it. Nothing was sent.` }),
  step("unknown", { sentence: plain`The outcome is unknown.`, change: "unknown" }),
  step("skipped"),
  step("notRun", { durationMs: undefined, paramsText: undefined }),
];

function report(steps: readonly StepReport[] = STEPS): TerminalReport {
  return {
    place: "TESTNET main",
    environment: "test",
    startedAtMs: 1_795_321_847_208,
    durationMs: 210.4,
    files: [{ path: "a.rpc.json", steps }],
    isStopped: false,
    hasLimits: true,
    notes: ["A note."],
    exitCode: 4,
  };
}

describe("reports of the terminal runner", () => {
  test("JSON: the documented members, and every literal of params and responses as it was", () => {
    const text = jsonReport(report());
    const read = JSON.parse(text) as Record<string, unknown> & {
      readonly files: readonly { readonly file: string; readonly requests: readonly Record<string, unknown>[] }[];
    };
    assert.deepEqual(Object.keys(read), [
      "version",
      "environment",
      "place",
      "startedAt",
      "durationMs",
      "exitCode",
      "stopped",
      "changes",
      "notes",
      "totals",
      "files",
    ]);
    assert.equal(read["startedAt"], "2026-11-22T04:30:47.208Z");
    assert.deepEqual(read["totals"], {
      ...{ passed: 1, failed: 1, declined: 1, refused: 1, unknown: 1, skipped: 1, notRun: 1 },
    });
    const requests = read.files[0]?.requests ?? [];
    assert.equal(read.files[0]?.file, "a.rpc.json");
    assert.deepEqual(Object.keys(requests[1] ?? {}), [
      "name",
      "method",
      "id",
      "line",
      "column",
      "verdict",
      "sentence",
      "durationMs",
      "tries",
      "failures",
      "params",
      "response",
    ]);
    assert.deepEqual(requests[1]?.["failures"], [
      {
        message: "result.price: expected 1, got <2>.",
        expected: "1",
        actual: "<2>",
        line: 9,
        column: 20,
        severity: "error",
      },
    ]);
    assert.ok(!("params" in (requests[6] ?? {})) && !("response" in (requests[6] ?? {})));
    assert.match(text, /"params":\{"count":1e1\}/);
    assert.match(text, /"number":0\.10,"id":123456789012345678901234567890/);
    assert.match(text, /"error":\{"text"/);
    assert.deepEqual((requests[1]["response"] as { readonly result: unknown }).result, JSON.parse(NASTY));
  });

  test("no character that a terminal acts on is in the JSON report, and none is lost", () => {
    const text = jsonReport(report());
    for (const character of ["\u009b", "\u202e", "\u{E0041}", "\u001b"]) assert.ok(!text.includes(character));
    assert.deepEqual(JSON.parse(safeJson(NASTY)), JSON.parse(NASTY));
  });

  test("JUnit: well formed, with a failure, errors and skipped ones that agree with the counts", () => {
    const text = junitReport(report());
    assert.deepEqual(xmlProblems(text), []);
    assert.match(text, /tests="7" failures="1" errors="3" skipped="2" time="0\.210"/);
    assert.match(
      text,
      /<property name="changes" value="Outcome unknown: private\/get_open_orders \(a\.rpc\.json:2:3\)\."\/>/,
    );
    assert.equal(text.match(/expected 1, got/g)?.length, 2, "the attribute and the text, each once");
    assert.match(
      text,
      /<failure message="result\.price: expected 1, got &lt;2&gt;\." type="expectation">a\.rpc\.json:9:20 /,
    );
    assert.match(text, /<error message="Not allowed\." type="refused">/);
    assert.match(text, /<error message="The outcome is unknown\." type="unknown">/);
  });

  test("JUnit: whatever a name or a sentence holds, a reader takes the report", () => {
    for (const odd of [
      '<a b="c">&amp;</a>',
      "]]>",
      "\u0000\u0008\uFFFE\uD800x",
      "a\nb\tc\r",
      "\u{1F600}",
      "--><!-- '",
    ]) {
      const text = junitReport(
        report([
          step("failed", { name: odd, method: odd, sentence: asPlain(odd) }),
          step("skipped", { sentence: asPlain(odd) }),
        ]),
      );
      assert.deepEqual(xmlProblems(text), [], JSON.stringify(odd));
    }
    assert.equal(xmlText("a\u0000<\n"), "a\uFFFD&lt;&#10;");
  });

  test("the check of XML finds what is wrong", () => {
    const good = junitReport(report());
    for (const [from, to] of [
      ["</testcase>", ""],
      ["&lt;", "<"],
      ['failures="1"', 'failures="3"'],
      ["<testsuite ", "<suite "],
      ["&gt;", "&bad"],
      [' classname="private/get_open_orders"', ""],
    ] as const)
      assert.notDeepEqual(xmlProblems(good.replace(from, to)), [], from);
  });

  const PLAIN = { hasColor: false, verbosity: "normal" } as const;

  test("without the exchange's rate limits, the head of each report says so", () => {
    const unlimited = { ...report(), place: "SIMULATOR", hasLimits: false };
    assert.equal((JSON.parse(jsonReport(unlimited)) as Record<string, unknown>)["rateLimits"], "off");
    assert.match(textReport(unlimited, PLAIN), /^a\.rpc\.json · SIMULATOR · rate limits off$/m);
    assert.match(junitReport(unlimited), /<testsuites name="trading-rpc SIMULATOR · rate limits off" /);
  });

  test("text: a line for each request, and for a failure its place, what was expected and what came", () => {
    assert.equal(fileHeading(plain`a.rpc.json`, "TESTNET main", PLAIN), "a.rpc.json · TESTNET main\n");
    assert.equal(
      terminalStepText(plain`a.rpc.json`, step("passed", { name: "open" }), PLAIN),
      "  ✓  open  private/get_open_orders  43 ms\n",
    );
    assert.equal(
      terminalStepText(plain`a.rpc.json`, step("passed", { name: undefined, tries: 3 }), PLAIN),
      "  ✓  private/get_open_orders  43 ms, 3 tries\n",
    );
    assert.equal(
      terminalStepText(plain`a.rpc.json`, FAILED, PLAIN),
      [
        "  ✗  failed  private/get_open_orders  failed  43 ms",
        "      a.rpc.json:9:20  result.price: expected 1, got <2>.",
        "",
      ].join("\n"),
    );
    assert.equal(
      terminalStepText(
        plain`a.rpc.json`,
        step("refused", { name: undefined, durationMs: undefined, sentence: plain`Not allowed.` }),
        PLAIN,
      ),
      "  ⊘  private/get_open_orders  not allowed\n      a.rpc.json:2:3  Not allowed.\n",
    );
    assert.equal(
      terminalStepText(plain`a.rpc.json`, step("declined", { name: undefined, durationMs: undefined }), PLAIN),
      "  ⊘  private/get_open_orders  declined\n",
    );
    assert.equal(
      summaryText(report(), PLAIN),
      "Outcome unknown: private/get_open_orders (a.rpc.json:2:3).\nA note.\n1 passed, 1 failed, 1 declined, 1 not allowed, 1 with an unknown outcome, 1 skipped, 1 not run in 210 ms (exit code 4)\n",
    );
  });

  test("text: quiet leaves out what passed, verbose shows params and responses with their digits and nothing that a terminal acts on", () => {
    const quiet = { hasColor: false, verbosity: "quiet" } as const;
    const found = STEPS.map((each) => terminalStepText(plain`a`, each, quiet) === "");
    assert.deepEqual(found, [true, false, false, false, false, true, false]);
    const verbose = terminalStepText(plain`a`, FAILED, { hasColor: false, verbosity: "verbose" });
    assert.match(verbose, /"count": 1e1/);
    assert.match(verbose, /"number": 0\.10,\n/);
    assert.match(verbose, /"id": 123456789012345678901234567890\n/);
    assert.match(verbose, /\\u009b2J\\u202e/);
    for (const character of ["\u009b", "\u202e", "\u001b"]) assert.ok(!verbose.includes(character));
  });

  test("text: colours only where they are wanted", () => {
    const colored = terminalStepText(plain`a`, FAILED, { hasColor: true, verbosity: "normal" });
    assert.match(colored, /\u001b\[31m✗\u001b\[0m/);
    assert.equal(colored.replaceAll(/\u001b\[\d+m/g, ""), terminalStepText(plain`a`, FAILED, PLAIN));
  });

  test("exit codes: an unknown outcome weighs most, then a lost connection, then a refusal, then a failure", () => {
    const none = { isStopped: false, isLinkLost: false, allowsNothing: false };
    const cases: readonly (readonly [readonly StepVerdict[], Partial<typeof none>, number])[] = [
      [[], {}, EXIT.usage],
      [[], { allowsNothing: true }, EXIT.passed],
      [["skipped"], {}, EXIT.usage],
      [["skipped"], { allowsNothing: true }, EXIT.passed],
      [["notRun"], { allowsNothing: true }, EXIT.usage],
      [[], { isStopped: true }, EXIT.failed],
      [["passed", "skipped"], {}, EXIT.passed],
      [["passed", "failed", "notRun"], {}, EXIT.failed],
      [["failed", "refused"], {}, EXIT.refused],
      [["failed", "declined"], {}, EXIT.refused],
      [["failed", "refused", "unknown"], { isLinkLost: true }, EXIT.unknown],
      [["failed"], { isLinkLost: true }, EXIT.noConnection],
      [["passed", "notRun"], { isStopped: true }, EXIT.failed],
    ];
    for (const [verdicts, more, code] of cases)
      assert.equal(exitCodeOf(verdicts, { ...none, ...more }), code, verdicts.join());
    assert.equal(countVerdicts(report().files).notRun, 1);
  });

  test("the first line says which changes were made, whatever the verdicts are, unless the code says it all", () => {
    const buy = (change: StepReport["change"], line: number, verdict: StepVerdict = "failed"): StepReport =>
      step(verdict, { method: "private/buy", place: { line, column: 1 }, change });
    const first = (steps: readonly StepReport[], exitCode: TerminalReport["exitCode"]): string =>
      summaryText({ ...report(steps), exitCode, notes: [] }, PLAIN).split("\n")[0] ?? "";
    const cases: readonly (readonly [readonly StepReport[], string])[] = [
      [[buy(undefined, 2)], "No changes were made."],
      [
        [buy("made", 2), buy("made", 9, "passed")],
        "Changes made: private/buy (a.rpc.json:2:1), private/buy (a.rpc.json:9:1).",
      ],
      [
        [buy("unknown", 2), buy("other", 3), buy("made", 4)],
        "Changes made: private/buy (a.rpc.json:4:1). Not as requested, or in part: private/buy (a.rpc.json:3:1). Outcome unknown: private/buy (a.rpc.json:2:1).",
      ],
    ];
    for (const [steps, expected] of cases)
      for (const code of [EXIT.failed, EXIT.refused, EXIT.unknown, EXIT.noConnection]) {
        assert.equal(first(steps, code), expected);
        const json = jsonReport({ ...report(steps), exitCode: code }).split("\n")[0] ?? "";
        assert.ok(json.includes(JSON.stringify(expected)), json);
      }
    for (const code of [EXIT.passed, EXIT.usage]) assert.match(first([buy("made", 2)], code), /^0 passed/);
    const many = first(
      Array.from({ length: 30 }, (_, index) => buy("made", index)),
      EXIT.failed,
    );
    assert.match(many, /\(a\.rpc\.json:19:1\) and 10 more\.$/);
  });

  test("a secret is hidden as it is, and as JSON and XML write it", () => {
    const secrets = createSecretValues();
    const secret = 'a"b<c&d\\e';
    secrets.keep(secret);
    secrets.keep("short");
    for (const text of [secret, JSON.stringify(secret), xmlText(secret)])
      assert.ok(!secrets.hide(`x ${text} y`).includes("b<c") && !secrets.hide(`x ${text} y`).includes("b&lt;c"), text);
    assert.equal(secrets.hide("short"), "short");
  });
});

test("a change that reads proved passes in every report, and each says so", () => {
  const proved = step("passed", { isProvedByReading: true, sentence: plain`Checked: placed <as> order 1.` });
  assert.match(
    terminalStepText(plain`a.rpc.json`, proved, { hasColor: false, verbosity: "normal" }),
    /^ {2}✓ {2}passed {2}private\/get_open_orders {2}proved by reading {2}43 ms\n {6}Checked: placed <as> order 1\.\n$/,
  );
  const told = report([proved, step("passed")]);
  const { files } = JSON.parse(jsonReport(told)) as {
    readonly files: readonly { readonly requests: readonly { readonly provedByReading?: boolean }[] }[];
  };
  assert.deepEqual(pluck(files[0]?.requests ?? [], "provedByReading"), [true, undefined]);
  const xml = junitReport(told);
  assert.deepEqual(xmlProblems(xml), []);
  assert.match(xml, /failures="0" errors="0"/);
  assert.match(xml, /<system-out>Checked: placed &lt;as&gt; order 1\.<\/system-out>/);
});
