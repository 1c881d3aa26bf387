import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Verdict } from "../../../../src/actions/judge/outcome.ts";
import type { RecordedIntent, RecordedOutcome } from "../../../../src/actions/journal/recordedIntents.ts";
import { plain } from "../../../../src/base/plain.ts";
import {
  activityHeading,
  activityNodes,
  copiedIntent,
  timelineLines,
  exportedIntent,
  type ActivitySource,
} from "../../../../src/present/activity/activity.ts";
import {
  intentSentences,
  intentState,
  intentTitle,
  leftOverText,
} from "../../../../src/present/activity/activityWords.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import { createTimes } from "../../../../src/present/text/times.ts";

const times = createTimes(0);
const AT_MS = Date.UTC(2026, 10, 20, 14, 3, 2);

function outcome(kind: RecordedOutcome["kind"], more: Partial<RecordedOutcome> = {}): RecordedOutcome {
  return { kind, atMs: AT_MS, failure: undefined, state: undefined, count: undefined, ...more };
}

function anIntent(more: Partial<RecordedIntent> = {}): RecordedIntent {
  return {
    id: "c1/run-1",
    connectionId: "c1",
    method: "private/cancel",
    paramsText: '{"order_id":"ETH-349280"}',
    note: {
      askedAtMs: AT_MS - 400,
      connectionName: "main",
      environment: "test",
      identity: "key",
      clientId: "AbC",
      userId: 7,
      action: "Cancel Order",
      target: "ETH-PERPETUAL buy 40 @ 2100",
      sentence: "Cancel ETH-PERPETUAL buy 40 @ 2100",
      targetId: "ETH-349280",
    },
    writtenAtMs: AT_MS - 300,
    sentAtMs: AT_MS - 200,
    wireId: 10_432,
    outcome: outcome("confirmed"),
    verdicts: [],
    isSetAside: false,
    holder: "here",
    isKept: true,
    ...more,
  };
}

const source = (intents: readonly RecordedIntent[], more: Partial<ActivitySource> = {}): ActivitySource => ({
  intents,
  isUnresolvedOnly: false,
  limit: 200,
  nowMs: AT_MS,
  times,
  ...more,
});
const unknown = outcome("unknown", { failure: { kind: "programEnded" } });
const verdict = (kind: "applied" | "notApplied" | "other" | "gone" | "unverified"): Verdict => {
  const all = {
    applied: { kind: "applied", cause: undefined, isLate: false },
    notApplied: { kind: "notApplied", state: "open" },
    other: { kind: "other", state: "filled" },
    gone: { kind: "gone" },
    unverified: { kind: "unverified", reason: "No response." },
  } as const;
  return { ...all[kind], atMs: AT_MS };
};

describe("what became of it, in a few words", () => {
  const cases: readonly (readonly [Partial<RecordedIntent>, string])[] = [
    [{}, "cancelled"],
    [{ method: "private/edit_api_key" }, "confirmed"],
    [{ method: "private/cancel_all", outcome: outcome("confirmed", { count: 3 }) }, "3 cancelled"],
    [{ outcome: outcome("confirmedOther", { state: "filled" }) }, "filled, not cancelled"],
    [{ outcome: outcome("rejected") }, "refused"],
    [{ outcome: outcome("rejected"), verdicts: [verdict("other")] }, "refused, verified filled"],
    [{ outcome: outcome("challenge") }, "2FA code required"],
    [{ outcome: outcome("notSent") }, "not sent"],
    [{ outcome: unknown }, "outcome unknown"],
    [{ outcome: unknown, verdicts: [verdict("unverified")] }, "outcome unknown"],
    [{ outcome: unknown, verdicts: [verdict("applied")] }, "verified cancelled"],
    [{ outcome: unknown, verdicts: [verdict("notApplied")] }, "outcome unknown"],
    [{ outcome: unknown, verdicts: [verdict("notApplied"), verdict("applied")] }, "verified cancelled"],
    [{ outcome: unknown, verdicts: [verdict("other")] }, "verified filled"],
    [{ outcome: unknown, verdicts: [verdict("gone")] }, "no longer open"],
    [{ outcome: unknown, method: "private/buy", verdicts: [verdict("applied")] }, "change verified"],
    [{ outcome: undefined }, "sending…"],
    [{ outcome: undefined, holder: "otherWindow" }, "in progress in another window"],
    [{ outcome: undefined, holder: "ended" }, "outcome unknown"],
    [{ outcome: undefined, holder: "simulatorEnded" }, "outcome unknown, simulator ended"],
    [{ outcome: unknown, isSetAside: true }, "outcome unknown, dismissed"],
    [
      {
        method: "private/cancel_all",
        outcome: unknown,
        verdicts: [
          {
            kind: "several",
            atMs: AT_MS,
            isLate: false,
            orders: (["applied", "applied", "notApplied"] as const).map((kind, index) => ({
              orderId: `O${index}`,
              verdict: verdict(kind) as Exclude<Verdict, { kind: "several" }>,
            })),
          },
        ],
      },
      "2 verified cancelled, 1 still open",
    ],
  ];
  for (const [more, expected] of cases)
    test(`${expected} (${JSON.stringify(more)})`, () => {
      assert.equal(intentState(anIntent(more)), expected);
    });
});

describe("the rows", () => {
  test("of a verified cancel, today and on another day", () => {
    const intent = anIntent({ outcome: unknown, verdicts: [verdict("applied")] });
    const [row] = activityNodes(source([intent]));
    assert.equal(
      `${row?.label} · ${row?.description}`,
      "verified cancelled · Cancel ETH-PERPETUAL buy 40 @ 2100 · 14:03",
    );
    const note = JSON.parse(
      JSON.stringify({ ...intent.note, sentence: "Cancel quote RFQ 722 buy 25 @ 0.0205", targetId: undefined }),
    ) as RecordedIntent["note"];
    const [ofQuote] = activityNodes(
      source([
        { ...intent, method: "private/cancel_block_rfq_quote", paramsText: '{"block_rfq_quote_id":1302}', note },
      ]),
    );
    assert.equal(`${ofQuote?.label} · ${ofQuote?.description}`, "verified cancelled · Cancel Quote 1302 · 14:03");
    const [later] = activityNodes(source([intent], { nowMs: AT_MS + 86_400_000 }));
    assert.equal(later?.description, "Cancel ETH-PERPETUAL buy 40 @ 2100 · 2026-11-20 14:03");
  });

  test("below it every step with its time, and what was sent", () => {
    const [row] = activityNodes(
      source([anIntent({ outcome: unknown, verdicts: [verdict("unverified"), verdict("applied")] })]),
    );
    assert.deepEqual(
      row?.below?.().map(({ label, description }) => `${label}: ${description}`),
      [
        "asked: 14:03:01",
        "confirmed and recorded: 14:03:01",
        "sent: 14:03:01 · request ID 10432",
        "outcome: 14:03:02 · outcome unknown",
        "checked: 14:03:02 · still unknown",
        "checked: 14:03:02 · verified cancelled",
        "target: ETH-PERPETUAL buy 40 @ 2100",
        "method: private/cancel",
        'parameters: {"order_id":"ETH-349280"}',
        "API key: AbC",
        "account: 7",
        "entry: c1/run-1",
      ],
    );
  });

  test("of one whose window was killed say what is not recorded", () => {
    const [row] = activityNodes(source([anIntent({ outcome: undefined, sentAtMs: undefined, holder: "ended" })]));
    const found = row
      ?.below?.()
      .slice(2, 4)
      .map(({ label, description }) => `${label}: ${description}`);
    assert.deepEqual(found, ["sent: not recorded", "outcome: not recorded"]);
  });

  test("of a request that named no orders has each of them", () => {
    const covers = [
      { orderId: "O1", target: "ETH buy 1" },
      { orderId: "O2", target: "ETH buy 2" },
    ];
    const several: Verdict = {
      kind: "several",
      atMs: AT_MS,
      isLate: false,
      orders: [{ orderId: "O1", verdict: { kind: "applied", atMs: AT_MS, cause: "user_request", isLate: false } }],
    };
    const [row] = activityNodes(
      source([
        anIntent({
          method: "private/cancel_all",
          note: { ...anIntent().note, covers },
          outcome: unknown,
          verdicts: [several],
        }),
      ]),
    );
    const orders = row
      ?.below?.()
      .find(({ key }) => key === "orders")
      ?.below?.();
    const found = orders?.map(({ spoken }) => spoken);
    assert.deepEqual(found, ["Order O1, ETH buy 1: verified cancelled.", "Order O2, ETH buy 2: not checked."]);
  });

  test("are as many as wanted, then a row that shows more; of those that are unknown alone", () => {
    const many = Array.from({ length: 5 }, (_, index) =>
      anIntent({ id: `c1/${index}`, ...(index === 3 ? { outcome: unknown } : {}) }),
    );
    const found = activityNodes(source(many, { limit: 2 })).map(({ label, description }) => `${label} ${description}`);
    assert.deepEqual(found, [
      "cancelled Cancel ETH-PERPETUAL buy 40 @ 2100 · 14:03",
      "cancelled Cancel ETH-PERPETUAL buy 40 @ 2100 · 14:03",
      "Show 3 more… ",
    ]);
    assert.deepEqual(
      activityNodes(source(many, { isUnresolvedOnly: true })).map(({ key }) => key),
      ["c1/3", "kept"],
    );
    assert.deepEqual(activityNodes(source([])), []);
  });

  test("are all spoken as sentences, and show no text from outside as it came", () => {
    const evil = anIntent({
      note: {
        ...anIntent().note,
        target: "x\u202Ey](command:bad)",
        sentence: "a\u0007b $(alert)",
        connectionName: "m\nn",
      },
      outcome: unknown,
    });
    const walk = (node: RowNode): readonly RowNode[] => [node, ...(node.below?.() ?? []).flatMap(walk)];
    for (const node of activityNodes(source([anIntent({ id: "other" }), evil])).flatMap(walk)) {
      assert.match(node.spoken, /\S/);
      for (const text of [node.label, node.description, node.spoken, ...node.tooltip.map(({ value }) => value)])
        assert.doesNotMatch(text, /[\u202E\u0007\n]|\]\(|\$\(/, text);
    }
  });
});

describe("the sentences", () => {
  test("of an unproved outcome say what it means and what happens next", () => {
    assert.deepEqual(intentSentences(anIntent({ outcome: unknown, holder: "ended" }), times), [
      "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: outcome unknown, 2026-11-20 14:03:02.000 GMT+0.",
      "The window closed before the outcome was known. The request may or may not have taken effect: its outcome is unknown.",
      "The request was sent, but its outcome is unknown.",
      "It is checked while TESTNET main is connected with the API key AbC, and never sent again.",
    ]);
    assert.match(
      intentSentences(anIntent({ outcome: undefined, sentAtMs: undefined, holder: "ended" }), times)[1] ?? "",
      /The request may or may not have been sent\./,
    );
    assert.match(intentSentences(anIntent({ isKept: false }), times).at(-1) ?? "", /couldn't be written to the disk/);
  });

  test("at the start name what was left, once for all", () => {
    const open = anIntent({ outcome: unknown, holder: "ended" });
    assert.equal(leftOverText([anIntent()]), undefined);
    assert.match(
      leftOverText([open, anIntent()]) ?? "",
      /^Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main had an unknown outcome when its window closed/,
    );
    assert.match(
      leftOverText([open, { ...open, id: "c1/2" }]) ?? "",
      /^2 changes on TESTNET main had an unknown outcome when their window closed/,
    );
    assert.equal(leftOverText([{ ...open, holder: "otherWindow" }]), undefined);
  });

  test("of several connections or accounts: below these, in the order of what is newest, each without saying it again", () => {
    const at = (id: string, connectionName: string): RecordedIntent =>
      anIntent({ id, note: { ...anIntent().note, connectionName } });
    const outline = (nodes: readonly RowNode[]): readonly string[] =>
      nodes.flatMap(({ label, description, contextValue, below }) =>
        contextValue === "activity.connection"
          ? [`${label} ${description}`, ...outline(below?.() ?? [])]
          : [`${label} | ${description}`],
      );
    const rows = outline(
      activityNodes(source([at("1", "sub ▸ maker"), at("2", "main"), at("3", "sub ▸ maker")])),
    ).slice(0, -1);
    const row = "cancelled | Cancel ETH-PERPETUAL buy 40 @ 2100 · 14:03";
    assert.deepEqual(rows, ["TESTNET sub ▸ maker 2", row, row, "TESTNET main 1", row]);
    assert.deepEqual(outline(activityNodes(source([at("1", "main"), at("2", "main")]))).slice(0, -1), [row, row]);
    assert.equal(activityHeading(source([at("1", "main"), at("2", "main")]), undefined).description, "TESTNET main");
    assert.equal(activityHeading(source([at("1", "main"), at("2", "sub")]), undefined).description, "");
    assert.deepEqual(
      outline(activityNodes(source([at("1", "main"), at("2", "sub"), at("3", "sub")], { limit: 2 }))),
      ["TESTNET main 1", row, "TESTNET sub 1", row, "Show 1 more… | "],
      "the pages are of all of them",
    );
  });

  test("around the rows: how many are unknown, and that nothing can be recorded", () => {
    const open = anIntent({ outcome: unknown });
    assert.deepEqual(activityHeading(source([open, anIntent()]), undefined), {
      description: "TESTNET main · 1 outcome unknown",
      message: undefined,
      content: "rows",
      badge: { value: 1, tooltip: "1 outcome unknown" },
    });
    const desk = {
      ...open,
      id: "c2/1",
      connectionId: "c2",
      note: { ...open.note, connectionName: "desk", environment: "production" as const },
    };
    assert.deepEqual(activityHeading(source([open, desk, { ...open, id: "c1/2" }]), undefined).badge, {
      value: 3,
      tooltip: "TESTNET main: 2 outcomes unknown\nPRODUCTION desk: 1 outcome unknown",
    });
    assert.equal(activityHeading(source([anIntent()], { isUnresolvedOnly: true }), undefined).content, "allResolved");
    assert.match(
      activityHeading(source([]), plain`the disk is full`).message ?? "",
      /^Changes can't be recorded: the disk is full\. Cancels are still sent/,
    );
    assert.equal(activityHeading(source([]), undefined).content, "none");
  });
});

test("an entry is copied and exported with everything that is known of it", () => {
  const intent = anIntent({ outcome: unknown, verdicts: [verdict("applied")] });
  assert.match(copiedIntent(intent, times), /verified cancelled[\s\S]*method: private\/cancel/);
  const exported = JSON.parse(JSON.stringify(exportedIntent(intent, times))) as Record<string, unknown>;
  assert.deepEqual(
    [exported["title"], exported["state"], exported["isUnresolved"], exported["params"], exported["sentAt"]],
    [
      "Cancel ETH-PERPETUAL buy 40 @ 2100",
      "verified cancelled",
      false,
      { order_id: "ETH-349280" },
      "2026-11-20 14:03:01.800 UTC",
    ],
  );
});

test("the document of an entry begins with its steps, each with its time and the time since the one before", () => {
  const { askedAtMs } = anIntent().note;
  const intent = anIntent({ outcome: unknown, verdicts: [verdict("applied")] });
  const lines = timelineLines(intent, times);
  assert.deepEqual(lines.map((line) => line.replace(/^\S+ {2}/, "")).slice(0, 3), [
    "asked",
    "confirmed and recorded (after 100 ms)",
    "sent: request ID 10432 (after 100 ms)",
  ]);
  assert.match(lines[0] ?? "", new RegExp(`^${times.precise(askedAtMs)} {2}asked$`));
  assert.match(lines[3] ?? "", / {2}outcome: outcome unknown \(after /);
  assert.match(lines[4] ?? "", / {2}checked: verified cancelled \(after /);
  assert.equal(lines.length, 5);
});

test("a cancel by a request file, which says its method alone, is told by the ID of its order", () => {
  const { note } = anIntent();
  const ofFile = anIntent({ note: { ...note, target: "private/cancel", sentence: "Send private/cancel" } });
  assert.equal(intentTitle(ofFile), "Cancel ETH-349280");
});
