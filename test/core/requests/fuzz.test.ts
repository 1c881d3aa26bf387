import assert from "node:assert/strict";
import { test } from "vitest";
import fc from "fast-check";
import { createScanner } from "jsonc-parser";
import { effectOf } from "../../../src/catalogue/index.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { lensActions, lensTitle, type LensContext } from "../../../src/present/requests/requestLenses.ts";
import {
  placeholderSuggestions,
  requestNameSuggestions,
} from "../../../src/present/requests/placeholderSuggestions.ts";
import { channelSuggestions } from "../../../src/present/requests/channelSuggestions.ts";
import { expectationSuggestions } from "../../../src/present/requests/expectationSuggestions.ts";
import { NOTHING_KNOWN } from "../../../src/present/requests/knownObjects.ts";
import { objectSuggestions } from "../../../src/present/requests/objectSuggestions.ts";
import { methodNameSuggestions } from "../../../src/present/requests/requestSnippets.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { variableRows } from "../../../src/present/requests/variableList.ts";
import { allAtOnce } from "../../../src/base/slices.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { cursorAt, requestPlaceAt } from "../../../src/requests/file/cursor.ts";
import type { FileRequest, RequestFile, TextRange } from "../../../src/requests/file/file.ts";
import { fixesOf } from "../../../src/requests/checking/fixes.ts";
import { hintsOf } from "../../../src/requests/file/hints.ts";
import { nameAt, usesOf } from "../../../src/requests/values/names.ts";
import { namedRequests, outlineRequests } from "../../../src/requests/file/outline.ts";
import { planRun, type Wanted } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runPlan, type StepResult } from "../../../src/requests/running/sequence.ts";
import { codesOf, splitCodes } from "../../../src/requests/file/split.ts";
import { createLookup } from "../../../src/requests/values/variables.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { responseOf, errorOf } from "./fakeGate.ts";
import { NUMBERS, requestFile } from "./files.fuzz.ts";
import { isFull, rounds } from "../../rounds.mjs";

/* Whatever stands in a file: everything that is made of it is made, and nothing is sent that does not stand there. */

/** But for a long run they are always the same ones. */
const RUNS = rounds({
  short: { numRuns: 60, seed: 20_261_122 },
  full: { numRuns: 400, seed: 20_261_122 },
  long: { numRuns: 20_000 },
});

/** How often a character of a file is looked at, at most, to find its requests; for very short files a few more. */
const MOST_VISITS = 5;

const ANSWER = '{"x":0.10,"list":[1,9007199254740993],"code":7}';
const GIVEN = new Map([
  ["$pick.order", '"ETH-9"'],
  ["max", "12.50"],
]);
const wanted: fc.Arbitrary<Wanted> = fc.oneof(
  fc.constant<Wanted>({ kind: "all" }),
  fc.constant<Wanted>({ kind: "reads" }),
  fc.nat(6).map((index): Wanted => ({ kind: "one", index })),
  fc.nat(6).map((index): Wanted => ({ kind: "from", index })),
);

interface Sent {
  readonly method: string;
  readonly paramsText: string;
}

test("random files are read, checked, completed and run without a crash, each character looked at a few times, and nothing is sent that does not stand in them", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      requestFile,
      wanted,
      fc.array(fc.nat(), { minLength: 2, maxLength: 2 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
      async (text, want, offsets, fortunes) => {
        assert.ok(visits(text) <= MOST_VISITS * text.length + 16, `${String(visits(text))} of ${String(text.length)}`);
        const file = scanRequests(text);
        read(file);
        author(
          file,
          offsets.map((each) => each % (text.length + 1)),
        );
        const { sent, steps } = await run(file, want, fortunes);
        compare(file, sent, steps);
        for (const { paramsText } of sent) for (const token of tokensOf(paramsText)) seen.add(token);
      },
    ),
    RUNS,
  );
  // A short run is too short to send every one of them.
  if (isFull)
    assert.deepEqual(
      NUMBERS.filter((each) => !seen.has(each)),
      [],
      "these were never sent",
    );
});

/** How many characters are looked at to find the requests of a text. */
function visits(text: string): number {
  let count = 0;
  splitCodes(new Proxy(codesOf(text), { get: (codes, name) => ((count += 1), codes[name as unknown as number]) }));
  return count;
}

/** Reads everything about a file that does not depend on a position. */
function read(file: RequestFile): void {
  const { text, requests } = file;
  // What is missing at the end of a text stands one behind it.
  const isInside = ({ start, end }: TextRange): boolean =>
    0 <= start && start <= end && start <= text.length && end <= text.length + 1;
  const problems = checkFile(file, { isKnown: () => false });
  for (const { range, message } of [...problems, ...allAtOnce(hintsOf(file, "test"))])
    assert.ok(isInside(range) && message !== "");
  for (const problem of problems.slice(0, MAX_FIXED)) {
    for (const { edits } of fixesOf(file, problem, { names: ["v", "open"], scopeOfKey: () => "account:read" }))
      assert.ok(edits.every(({ range }) => isInside(range)));
  }
  for (const { paramsText } of requests) JSON.parse(paramsText);
  const context: LensContext = {
    file,
    target: { place: plain`TESTNET main`, environment: "test", status: "ready", isOwn: false },
    run: undefined,
    isTrusted: true,
    runsFirst: () => [],
    lastText: () => undefined,
  };
  for (const request of requests)
    for (const action of lensActions(request.index, context)) assert.notEqual(lensTitle(action, request, context), "");
  variableRows(
    {
      file,
      environmentVars: [],
      results: [],
      waiting: [...namedRequests(outlineRequests(file)).keys()],
      environment: "test",
      clock: createFakeClock(),
      uuid: () => "",
    },
    MOMENT,
  );
}

/** Of a file full of problems the first ones. */
const MAX_FIXED = 4;

const MOMENT = { nowMs: 0, times: createTimes(0) };

/** Reads everything that is offered at positions. */
function author(file: RequestFile, offsets: readonly number[]): void {
  const clock = createFakeClock();
  for (const offset of offsets) {
    requestPlaceAt(file, offset);
    const use = nameAt(file, offset);
    if (use !== undefined) assert.ok(usesOf(file, use.thing).some(({ range }) => range.start === use.range.start));
    const cursor = cursorAt(file, offset);
    if (cursor === undefined) continue;
    assert.ok(cursor.literal.start <= offset && offset <= cursor.literal.end);
    const lookup = createLookup({
      fileVars: file.vars,
      runVars: cursor.request.run.vars,
      environment: "test",
      clock,
      uuid: () => "u",
    });
    const names = [...namedRequests(outlineRequests(file)).keys()];
    const waiting = names.map((name) => ({ name, method: "private/get_order_state" }));
    for (const { range } of [
      ...placeholderSuggestions(file.text, cursor, { variables: ["v"], results: [], waiting, lookup }, MOMENT).items,
      ...requestNameSuggestions(cursor, names),
      ...methodNameSuggestions(cursor),
      ...expectationSuggestions(file.text, cursor),
      ...channelSuggestions(file.text, cursor, NOTHING_KNOWN).items,
      ...objectSuggestions(file.text, cursor, NOTHING_KNOWN, MOMENT).items,
    ]) {
      assert.ok(range.start <= offset && offset <= range.end);
    }
  }
}

/** Runs a file over a gate that keeps what it is given and answers at once, well or not. */
async function run(
  file: RequestFile,
  want: Wanted,
  fortunes: readonly number[],
): Promise<{ readonly sent: readonly Sent[]; readonly steps: readonly StepResult[] }> {
  const clock = createFakeClock();
  const sent: Sent[] = [];
  const outcomeOf = (method: string): Outcome => {
    const fortune = fortunes[sent.length % fortunes.length];
    if (fortune === 0) return { kind: "failed", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined };
    if (fortune === 1) return { kind: "rejected", ...errorOf(method, 10004, "order_not_found") };
    return { kind: "confirmed", response: responseOf(method, ANSWER, { result: JSON.parse(ANSWER) }) };
  };
  const gate: Parameters<typeof runPlan>[1]["gate"] = {
    activity: [],
    submit: async ({ method, paramsText }) => {
      sent.push({ method, paramsText });
      return await Promise.resolve(outcomeOf(method));
    },
  };
  const plan = planRun(file, want, createResults());
  const running = runPlan(plan, {
    gate,
    environment: () => "test",
    connectionId: "c",
    fileName: "a",
    results: createResults(),
    clock,
    variables: { given: GIVEN, uuid: () => "u" },
  });
  await clock.advance(600_000);
  const steps = await running;
  assert.equal(clock.pendingTimers, 0);
  assert.deepEqual(
    steps.map(({ step }) => step.request.index),
    plan.steps.map(({ request }) => request.index),
    "every step is told",
  );
  return { sent, steps };
}

/** What was sent, and the file that it was sent from. */
function compare(file: RequestFile, sent: readonly Sent[], steps: readonly StepResult[]): void {
  for (const each of sent)
    assert.ok(
      file.requests.some((request) => request.method === each.method && stands(file, request, each)),
      `${each.method} ${each.paramsText}\n${file.text}`,
    );
  const isChange = (method: string | undefined): boolean => method !== undefined && effectOf(method) !== "read";
  assert.ok(
    steps.every(({ step, tries }) => !isChange(step.request.method) || (!step.isImplicit && tries <= 1)),
    "a change is sent once, and only when it was asked for",
  );
  assert.equal(
    sent.filter(({ method }) => isChange(method)).length,
    steps.filter(({ step, run: { outcome } }) => isChange(step.request.method) && outcome.kind !== "notSent").length,
  );
}

/** Whether everything that was sent stands in the request, the variables, or a response, character by character. */
function stands(file: RequestFile, request: FileRequest, { paramsText }: Sent): boolean {
  const own = file.text.slice(request.range.start, request.range.end);
  assert.ok(own.includes(`"${request.method ?? ""}"`) || own.includes("\\"));
  // Without placeholders the literals are those of the file, in their order.
  if (request.run.isRaw || !own.includes("{{"))
    return paramsText === request.paramsText && isInOrder(tokensOf(paramsText), tokensOf(own));
  const values = [
    ...tokensOf(own),
    ...file.vars.flatMap(({ name, valueText }) => [JSON.stringify(name), ...tokensOf(valueText)]),
    ...[...GIVEN.values()].flatMap(tokensOf),
    ...tokensOf(ANSWER),
    ...tokensOf('{"code":10004,"message":"order_not_found","u":"test","result":1,"error":1}'),
  ];
  const known = new Set(values.flatMap(forms));
  return tokensOf(paramsText).every(
    (token) =>
      known.has(token) || isTime(token) || values.some((each) => each.includes("{{") && isFilled(each, token, known)),
  );
}

function isInOrder(tokens: readonly string[], among: readonly string[]): boolean {
  let at = 0;
  return tokens.every((token) => {
    at = among.indexOf(token, at) + 1;
    return at > 0;
  });
}

/**
 * A literal, as a text, as what the text holds, and without the backslashes that keep braces from being a placeholder.
 */
function forms(token: string): string[] {
  const other = token.startsWith('"') ? token.slice(1, -1) : `"${token}"`;
  return [token, other, token.replaceAll("\\\\{{", "{{")];
}

/** `$now` of a clock that a test moves, perhaps as a text. */
function isTime(token: string): boolean {
  return (
    /^"?-?\d{1,14}"?$/.test(token) && Math.abs(Number(token.replaceAll('"', "")) - createFakeClock().now()) <= 5_000_000
  );
}

/** Whether a text was made of another by putting known values, or such texts, in the places of its placeholders. */
function isFilled(template: string, token: string, known: ReadonlySet<string>): boolean {
  const parts = template.split(/(?<!\\\\)\{\{[^{}]*\}\}/).map((part) => part.replaceAll("\\\\{{", "{{"));
  if (parts.length < 2) return false;
  const values = [...known]
    .map((each) => (each.startsWith('"') ? each.slice(1, -1) : each))
    .filter((each) => each !== "")
    .sort((left, right) => right.length - left.length);
  const time = "-?\\d{1,14}";
  const hole = `(?:${[...values.map(escaped), time].join("|")}|)`;
  return (
    new RegExp(`^${parts.map(escaped).join(hole)}$`, "s").test(token) ||
    token === `"${parts.join("").replaceAll('"', "")}"`
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** The literals and names of a JSON text with comments, as they are written. */
function tokensOf(text: string): string[] {
  const scanner = createScanner(text, true);
  const tokens: string[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (kind > LAST_SIGN) tokens.push(token);
  }
  return tokens;
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const LAST_SIGN = 6;
const END = 17;
