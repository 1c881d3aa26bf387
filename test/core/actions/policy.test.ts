import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { effectOf } from "../../../src/catalogue/index.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { channelMethod } from "../../../src/actions/changes/changes.ts";
import { connectionName, environmentWords } from "../../../src/actions/intent/connectionNames.ts";
import {
  allowChangesQuestion,
  decide,
  sessionRefusal,
  type Decision,
  type PolicyInput,
} from "../../../src/actions/gate/policy.ts";
import { plain } from "../../../src/base/plain.ts";
import type { Effect } from "../../../src/catalogue/index.ts";
import { asPlain } from "../../asPlain.ts";

const CANCEL: Intent = {
  method: "private/cancel",
  paramsText: `{"order_id":"ETH-1"}`,
  origin: "view",
  words: {
    action: plain`Cancel Order`,
    target: plain`ETH-PERPETUAL buy 40 @ 2100`,
    sentence: plain`Cancel ETH-PERPETUAL buy 40 @ 2100`,
    detail: [plain`id ETH-1`, plain`label mm-1`],
    keep: plain`Keep Order`,
  },
};

const REQUEST: Intent = {
  method: "private/withdraw",
  paramsText: `{"currency":"BTC","amount":0.10,"address":"bc1"}`,
  origin: "requestFile",
  words: {
    action: plain`Send Request`,
    target: plain`private/withdraw`,
    detail: [plain`currency BTC`, plain`address bc1`],
    keep: plain`Don't Send`,
  },
};

const NAMES = { simulator: "Simulator", test: "main", production: "desk", gateway: "desk" } as const;

function input(change: Partial<PolicyInput>): PolicyInput {
  const environment = change.environment ?? "test";
  return {
    intent: CANCEL,
    effect: "reduce",
    environment,
    connectionName: NAMES[environment],
    areChangesAllowed: false,
    settings: { confirmCancel: "always", allowChangesMinutes: 30 },
    isEarlierUnknown: false,
    ...change,
  };
}

/** A decision in a few words. */
function summary(decision: Decision): string {
  if (decision.kind !== "ask") return decision.kind;
  const questions = decision.questions.map((question) =>
    question.kind === "typed"
      ? `typed ${question.expected}`
      : `modal [${[question.show, question.confirm, question.keep].filter((each) => each !== undefined).join("] [")}]`,
  );
  return `${questions.join(", then ")}${decision.allowsCancels ? ", allowing cancels" : ""}`;
}

const COLUMNS: readonly (readonly [string, Partial<PolicyInput>])[] = [
  ["simulator", { environment: "simulator" }],
  ["test", { environment: "test" }],
  ["production, changes allowed", { environment: "production", areChangesAllowed: true }],
  ["production, read-only", { environment: "production" }],
];

describe("the whole table", () => {
  const modal = "modal [Cancel Order] [Keep Order]";
  const massModal = "modal [Review First] [Cancel Order] [Keep Order]";
  const rows: Readonly<Record<Exclude<Effect, "session">, readonly [string, string, string, string]>> = {
    read: ["send", "send", "send", "send"],
    reduce: ["send", modal, modal, "modal [Allow Cancels and Cancel] [Keep Order], allowing cancels"],
    write: [modal, modal, modal, "refuse"],
    mass: [massModal, massModal, "typed desk", "refuse"],
    key: [modal, modal, modal, "refuse"],
    money: [modal, modal, "typed desk", "refuse"],
  };
  test("the gateway has the rules of production", () => {
    const facts = [{}, { areChangesAllowed: true }, { areChangesAllowed: true, areCancelsAllowed: true }];
    const more = [{}, { areCancels: true }, { isEarlierUnknown: true }];
    const origins = ["view", "requestFile", "chat"] as const;
    const inputs = ([...Object.keys(rows), "session"] as Effect[]).flatMap((effect) =>
      facts.flatMap((allowed) =>
        more.flatMap((each) =>
          origins.map((origin) => ({ effect, ...allowed, ...each, intent: { ...CANCEL, origin } })),
        ),
      ),
    );
    const decided = (environment: "production" | "gateway"): readonly string[] =>
      inputs.map((each) => summary(decide(input({ ...each, environment }))));
    assert.equal(inputs.length, 7 * 27);
    assert.deepEqual(decided("gateway"), decided("production"));
  });

  for (const [effect, expected] of Object.entries(rows)) {
    for (const [index, [column, change]] of COLUMNS.entries()) {
      test(`${effect} on ${column}: ${expected[index] ?? ""}`, () =>
        assert.equal(summary(decide(input({ effect: effect as Effect, ...change }))), expected[index]));
    }
  }
});

describe("several cancels at once", () => {
  const massModal = "modal [Review First] [Cancel Order] [Keep Order]";
  for (const [name, change, expected] of [
    ["on the simulator", { environment: "simulator" }, massModal],
    ["on test", { environment: "test" }, massModal],
    [
      "on read-only production",
      { environment: "production" },
      "modal [Review First] [Allow Cancels and Cancel] [Keep Order], allowing cancels",
    ],
    [
      "on production where only cancels are allowed",
      { environment: "production", areChangesAllowed: true, areCancelsAllowed: true },
      massModal,
    ],
    ["on production where changes are allowed", { environment: "production", areChangesAllowed: true }, "typed desk"],
    ["of a language model on read-only production", { environment: "production", origin: "chat" }, "refuse"],
  ] as const)
    test(`${name}: ${expected}`, () => {
      const { origin = "view", ...facts } = { origin: undefined, ...change };
      const decision = decide(input({ effect: "mass", areCancels: true, intent: { ...CANCEL, origin }, ...facts }));
      assert.equal(summary(decision), expected);
      for (const question of decision.kind === "ask" ? decision.questions : [])
        assert.equal(question.isForCancels, true);
    });

  test("are one step, and other changes beside a cancel are not", () => {
    assert.equal(summary(decide(input({ effect: "mass", areCancels: false, environment: "production" }))), "refuse");
    assert.equal(summary(decide(input({ effect: "write", areCancels: true, environment: "production" }))), "refuse");
  });

  test("are asked for on test, whatever is said of single ones", () => {
    const settings = { confirmCancel: "productionOnly", allowChangesMinutes: 30 } as const;
    const several = { effect: "mass", areCancels: true, areCancelsAllowed: true, settings } as const;
    assert.equal(summary(decide(input(several))), massModal);
  });
});

describe("a change of which nothing tells the size", () => {
  for (const [name, change, expected] of [
    ["a write on test", { effect: "write" }, "modal [Cancel Order] [Keep Order], then typed main"],
    [
      "a write on production",
      { effect: "write", environment: "production", areChangesAllowed: true },
      "modal [Cancel Order] [Keep Order], then typed desk",
    ],
    [
      "a mass change on production, whatever its count",
      { effect: "mass", environment: "production", areChangesAllowed: true, intent: { ...CANCEL, typed: "17" } },
      "modal [Review First] [Cancel Order] [Keep Order], then typed desk",
    ],
    [
      "money on production, whatever its amount",
      { effect: "money", environment: "production", areChangesAllowed: true, intent: REQUEST },
      "modal [Send Request] [Don't Send], then typed desk",
    ],
    [
      "one with a price outside of the band",
      { effect: "write", intent: { ...CANCEL, isBlind: true, typed: "9000" } },
      "modal [Cancel Order] [Keep Order], then typed 9000, then typed main",
    ],
    ["a write on read-only production", { effect: "write", environment: "production" }, "refuse"],
  ] as const)
    test(`${name}: ${expected}`, () => {
      const decision = decide(input({ unsized: "parameter", ...change }));
      assert.equal(summary(decision), expected);
      if (decision.kind === "ask") assert.equal(decision.questions.at(-1)?.unsized, "parameter");
    });
});

describe("what a language model asks for", () => {
  const modal = "modal [Review First] [Cancel Order] [Keep Order]";
  const rows: Readonly<Record<Exclude<Effect, "session">, readonly [string, string, string, string]>> = {
    read: ["send", "send", "send", "send"],
    reduce: [modal, modal, modal, "refuse"],
    write: [modal, modal, modal, "refuse"],
    mass: [modal, modal, "typed desk", "refuse"],
    key: [modal, modal, modal, "refuse"],
    money: [modal, modal, "typed desk", "refuse"],
  };
  const intent: Intent = { ...CANCEL, origin: "chat" };
  for (const [effect, expected] of Object.entries(rows)) {
    test(`${effect}: ${expected.join(" | ")}`, () => {
      for (const confirmCancel of ["always", "productionOnly"] as const) {
        const decisions = COLUMNS.map(([, change]) =>
          decide(
            input({
              intent,
              effect: effect as Effect,
              settings: { confirmCancel, allowChangesMinutes: 30 },
              ...change,
            }),
          ),
        );
        assert.deepEqual(decisions.map(summary), expected);
        for (const decision of decisions) {
          for (const question of decision.kind === "ask" ? decision.questions : [])
            assert.match(
              question.kind === "modal" ? question.detail : question.message,
              /\bA language model requested this\./,
            );
        }
      }
    });
  }
});

describe("what has to be typed on production", () => {
  const allowed: Partial<PolicyInput> = { environment: "production", areChangesAllowed: true };
  const cases: readonly (readonly [string, Partial<PolicyInput>, string])[] = [
    ["the count of a mass change", { effect: "mass", intent: { ...CANCEL, typed: "17" } }, "typed 17"],
    ["the connection's name where the count is not known", { effect: "mass", intent: REQUEST }, "typed desk"],
    ["the amount of a withdrawal in a file", { effect: "money", intent: REQUEST }, "typed 0.1"],
    [
      "a tiny amount without an exponent",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"amount":1e-8}` } },
      "typed 0.00000001",
    ],
    [
      "an amount that is a text",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"amount":"0.10"}` } },
      "typed 0.10",
    ],
    [
      "the connection's name where there is no amount",
      { effect: "money", intent: { ...REQUEST, paramsText: "{}" } },
      "typed desk",
    ],
    [
      "the end of the address where there is no amount",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"address":"bc1qexample7x9k2z"}` } },
      "typed 7x9k2z",
    ],
    [
      "the amount rather than the address",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"address":"bc1qexample7x9k2z","amount":2}` } },
      "typed 2",
    ],
    [
      "the connection's name where the address is empty",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"address":" "}` } },
      "typed desk",
    ],
    [
      "the amount of the one position that is moved",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"source_uid":7,"trades":[{"amount":40}]}` } },
      "typed 40",
    ],
    [
      "the number of several positions that are moved",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"trades":[{"amount":40},{"amount":50},{}]}` } },
      "typed 3",
    ],
    [
      "the connection's name where no position has an amount",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"trades":[{"instrument_name":"X"}]}` } },
      "typed desk",
    ],
    [
      "a short address, whole",
      { effect: "money", intent: { ...REQUEST, paramsText: `{"address":"r7x"}` } },
      "typed r7x",
    ],
    [
      "the number of bids and asks",
      { effect: "mass", intent: { ...REQUEST, paramsText: `{"quotes":[{"bid":{},"ask":{}},{"ask":{}}]}` } },
      "typed 3",
    ],
    [
      "the connection's name where quotes have neither bid nor ask",
      { effect: "mass", intent: { ...REQUEST, paramsText: `{"quotes":[{"instrument_name":"X"},null]}` } },
      "typed desk",
    ],
    [
      "the name of a new member, or of a new key",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"name":" Ann ","accounts":[3]}` } },
      "modal [Send Request] [Don't Send], then typed Ann",
    ],
    [
      "the ID rather than the name",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"name":"Ann","member_id":71}` } },
      "modal [Send Request] [Don't Send], then typed 71",
    ],
    [
      "the connection's name where a name can't be seen",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"name":"  "}` } },
      "modal [Send Request] [Don't Send], then typed desk",
    ],
    [
      "the connection's name where a name is too long to be shown",
      { effect: "key", intent: { ...REQUEST, paramsText: JSON.stringify({ name: "x".repeat(65) }) } },
      "modal [Send Request] [Don't Send], then typed desk",
    ],
    [
      "the ID of a member",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"member_id":71}` } },
      "modal [Send Request] [Don't Send], then typed 71",
    ],
    [
      "the ID of a subaccount",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"subaccount_id":72}` } },
      "modal [Send Request] [Don't Send], then typed 72",
    ],
    [
      "the ID of a subaccount by its short name",
      { effect: "key", intent: { ...REQUEST, paramsText: `{"sid":73,"state":"enable"}` } },
      "modal [Send Request] [Don't Send], then typed 73",
    ],
    [
      "the key's name when a scope is lost",
      { effect: "key", intent: { ...CANCEL, typed: "trading-bot" } },
      "modal [Cancel Order] [Keep Order], then typed trading-bot",
    ],
    [
      "the connection's name for a key change in a file",
      { effect: "key", intent: REQUEST },
      "modal [Send Request] [Don't Send], then typed desk",
    ],
    [
      "nothing on test",
      { environment: "test", effect: "mass", intent: { ...CANCEL, typed: "17" } },
      "modal [Review First] [Cancel Order] [Keep Order]",
    ],
  ];
  for (const [name, change, expected] of cases)
    test(name, () => assert.equal(summary(decide(input({ ...allowed, ...change }))), expected));
});

describe("asking about single cancels switched off", () => {
  const settings = { confirmCancel: "productionOnly", allowChangesMinutes: 30 } as const;
  const modal = "modal [Cancel Order] [Keep Order]";
  const cases: readonly (readonly [string, Partial<PolicyInput>, string])[] = [
    ["is sent on test", {}, "send"],
    ["needs confirmation on production all the same", { environment: "production", areChangesAllowed: true }, modal],
    ["needs confirmation when the row has just moved", { intent: { ...CANCEL, isRecentlyMoved: true } }, modal],
    [
      "a moved row on the simulator is not",
      { environment: "simulator", intent: { ...CANCEL, isRecentlyMoved: true } },
      "send",
    ],
    ["needs confirmation when an earlier outcome is unknown", { isEarlierUnknown: true }, modal],
    ["other writes need confirmation", { effect: "write" }, modal],
  ];
  for (const [name, change, expected] of cases)
    test(name, () => assert.equal(summary(decide(input({ settings, ...change }))), expected));
});

describe("requests that act on the session", () => {
  const refused = [
    "public/auth",
    "public/fork_token",
    "private/logout",
    "public/set_heartbeat",
    "public/disable_heartbeat",
    "public/unsubscribe_all",
    "private/unsubscribe_all",
    "public/subscribe",
    "private/subscribe",
    "public/unsubscribe",
    "private/unsubscribe",
  ];
  for (const method of refused) {
    test(`${method} is refused everywhere, with its reason`, () => {
      const intent = { ...REQUEST, method };
      const reasons = COLUMNS.map(([, change]) => decide(input({ intent, effect: effectOf(method), ...change }))).map(
        (decision) => (decision.kind === "refuse" ? decision.reason : summary(decision)),
      );
      assert.equal(new Set(reasons).size, 1);
      assert.match(
        reasons[0] ?? "",
        new RegExp(`^${method} can't be sent (?:because \\w|here\\. Request files subscribe in their own editor tab)`),
      );
    });
  }
  test("public/exchange_token needs confirmation everywhere", () => {
    const intent = { ...REQUEST, method: "public/exchange_token" };
    for (const [, change] of COLUMNS)
      assert.equal(
        summary(decide(input({ intent, effect: effectOf(intent.method), ...change }))),
        "modal [Send Request] [Don't Send]",
      );
  });
});

describe("the words", () => {
  const question = (change: Partial<PolicyInput>): unknown => {
    const decision = decide(input(change));
    return decision.kind === "ask" ? decision.questions.at(-1) : decision;
  };
  test("a cancel on test", () => {
    assert.deepEqual(question({}), {
      kind: "modal",
      message: "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main?",
      detail: "id ETH-1\nlabel mm-1",
      confirm: "Cancel Order",
      keep: "Keep Order",
    });
  });
  test("a cancel on read-only production says what else the yes does", () => {
    assert.deepEqual(question({ environment: "production" }), {
      kind: "modal",
      message: "Cancel ETH-PERPETUAL buy 40 @ 2100 on PRODUCTION desk?",
      detail:
        "PRODUCTION desk is read-only. Confirming also allows further cancels for 30 minutes, but no other changes.\nid ETH-1\nlabel mm-1",
      confirm: "Allow Cancels and Cancel",
      keep: "Keep Order",
      isOpening: true,
    });
  });
  test("a request of a file on the simulator", () => {
    assert.deepEqual(question({ environment: "simulator", effect: "write", intent: REQUEST }), {
      kind: "modal",
      message: "Send Request: private/withdraw on SIMULATOR?",
      detail: "currency BTC\naddress bc1",
      confirm: "Send Request",
      keep: "Don't Send",
    });
  });
  test("a withdrawal shows where to before the amount is typed", () => {
    assert.deepEqual(
      question({ environment: "production", areChangesAllowed: true, effect: "money", intent: REQUEST }),
      {
        kind: "typed",
        message:
          "Type 0.1 (the amount) to confirm: Send Request: private/withdraw on PRODUCTION desk. currency BTC · address bc1",
        expected: "0.1",
      },
    );
  });
  test("an earlier unknown outcome comes first", () => {
    const warning = "The outcome of an earlier attempt is unknown. The change may already have been made.";
    assert.equal(
      (question({ isEarlierUnknown: true }) as { detail: string }).detail,
      `${warning}\nid ETH-1\nlabel mm-1`,
    );
    assert.equal(
      (question({ isEarlierUnknown: true, environment: "simulator" }) as { detail: string }).detail,
      `${warning}\nid ETH-1\nlabel mm-1`,
    );
    assert.equal(
      (question({ isEarlierUnknown: true, environment: "production" }) as { detail: string }).detail.split("\n")[0],
      warning,
    );
    const typed = question({
      isEarlierUnknown: true,
      environment: "production",
      areChangesAllowed: true,
      effect: "money",
      intent: REQUEST,
    }) as { message: string };
    assert.ok(typed.message.startsWith(warning));
    assert.equal((question({ isEarlierUnknown: true }) as { isRepetition?: boolean }).isRepetition, true);
  });
  test("a refusal names the way out", () => {
    assert.deepEqual(decide(input({ effect: "write", environment: "production" })), {
      kind: "refuse",
      reason: "PRODUCTION desk is read-only. Use Allow Changes… to allow changes for 30 minutes.",
    });
  });
  test("Allow Changes", () => {
    assert.deepEqual(allowChangesQuestion(input({ environment: "production" })), {
      kind: "modal",
      message: "Allow changes on PRODUCTION desk for 30 minutes?",
      detail: "Each change still needs confirmation. Disconnecting or Disallow Changes ends this earlier.",
      confirm: "Allow Changes",
      keep: "Keep Read-Only",
    });
    const brief = { confirmCancel: "always", allowChangesMinutes: 1 } as const;
    assert.equal(
      allowChangesQuestion(input({ environment: "production", settings: brief })).message,
      "Allow changes on PRODUCTION desk for 1 minute?",
    );
  });
  test("text from outside cannot pretend to be something else", () => {
    const words = {
      ...CANCEL.words,
      sentence: asPlain("Cancel [x](command:y) \u202Eabc"),
      detail: [asPlain("label a\nKeep\u200B")],
    };
    const modal = question({ intent: { ...CANCEL, words }, connectionName: "ma\u202Ein" }) as {
      message: string;
      detail: string;
    };
    assert.equal(modal.message, "Cancel [x] (command:y) \\u202Eabc on TESTNET ma\\u202Ein?");
    assert.equal(modal.detail, "label a\\u000AKeep\\u200B");
  });
  test("environments", () => {
    assert.deepEqual(
      [
        environmentWords("simulator", "Simulator"),
        environmentWords("simulator", "bench"),
        environmentWords("test", "main"),
        environmentWords("production", "desk"),
      ],
      ["SIMULATOR", "SIMULATOR bench", "TESTNET main", "PRODUCTION desk"],
    );
  });
});

describe("effects of methods", () => {
  const cases: readonly (readonly [string, Effect])[] = [
    ["private/cancel", "reduce"],
    ["private/get_open_orders", "read"],
    ["private/cancel_all", "mass"],
    ["private/cancel_all_block_rfq_quotes", "mass"],
    ["private/cancel_block_rfq_quote", "reduce"],
    ["private/edit_api_key", "key"],
    ["private/withdraw", "money"],
    ["private/logout", "session"],
    ["public/auth", "session"],
    ["public/exchange_token", "session"],
    ["private/buy", "write"],
    ["private/invented", "write"],
    ["private/mass_quote", "mass"],
    ["private/cancel_withdrawal", "write"],
    ["private/get_positions", "read"],
    ["public/ticker", "read"],
    ["private/set_member", "key"],
    ["private/add_to_address_book", "money"],
  ];
  for (const [method, effect] of cases) test(`${method} is ${effect}`, () => assert.equal(effectOf(method), effect));
});

describe("what else the words and questions depend on", () => {
  const asked = (change: Partial<PolicyInput>): Extract<Decision, { kind: "ask" }> => {
    const decision = decide(input(change));
    return decision.kind === "ask" ? decision : assert.fail(decision.kind);
  };

  test("what is replaced without being known is typed too, also away from production", () => {
    assert.equal(
      summary(asked({ intent: { ...CANCEL, isBlind: true, typed: "bot" }, effect: "key" })),
      "modal [Cancel Order] [Keep Order], then typed bot",
    );
  });

  test("what has to be typed is said with what it is", () => {
    const effects: readonly Effect[] = ["mass", "key", "money", "write"];
    const hints = effects.map((effect) => {
      const message =
        asked({ intent: { ...CANCEL, isBlind: true, typed: "7" }, effect }).questions.at(-1)?.message ?? "";
      return /^Type 7 \(([^)]*)\)/.exec(message)?.[1];
    });
    assert.deepEqual(hints, ["the count", "the API key name", "the amount", "as a safety check"]);
    const blind: Intent = { ...CANCEL, method: "public/exchange_token", isBlind: true, typed: "7" };
    for (const effect of ["session", "reduce"] as const)
      assert.match(
        asked({ intent: blind, effect, environment: "production", areChangesAllowed: true }).questions.at(-1)
          ?.message ?? "",
        /^Type 7 \(as a safety check\)/,
      );
  });

  test("what of the parameters has to be typed is said with what it is", () => {
    const rows: readonly (readonly [Effect, string, string])[] = [
      ["money", `{"address":"bc1qexample7x9k2z"}`, "the last 6 characters of the address"],
      ["key", `{"member_id":71}`, "the member ID"],
      ["key", `{"sid":71}`, "the subaccount ID"],
      ["key", "{}", "the connection name"],
    ];
    const hints = rows.map(([effect, paramsText]) => {
      const message =
        asked({
          intent: { ...REQUEST, paramsText },
          effect,
          environment: "production",
          areChangesAllowed: true,
        }).questions.at(-1)?.message ?? "";
      return /^Type \S+ \(([^)]*)\)/.exec(message)?.[1];
    });
    assert.deepEqual(
      hints,
      rows.map(([, , hint]) => hint),
    );
  });

  test("a note stands before the details, in both kinds of question", () => {
    const intent: Intent = { ...CANCEL, typed: "bot", words: { ...CANCEL.words, note: plain`Mind this.` } };
    const [modal, typed] = asked({
      intent,
      effect: "key",
      environment: "production",
      areChangesAllowed: true,
    }).questions;
    assert.equal(modal?.kind === "modal" && modal.detail, "Mind this.\nid ETH-1\nlabel mm-1");
    assert.equal(
      typed?.message,
      "Type bot (the API key name) to confirm: Cancel ETH-PERPETUAL buy 40 @ 2100 on PRODUCTION desk. Mind this. id ETH-1 · label mm-1",
    );
  });

  test("without details there is nothing behind the sentence", () => {
    const intent: Intent = { ...REQUEST, words: { ...REQUEST.words, detail: [] } };
    const [typed] = asked({ intent, effect: "money", environment: "production", areChangesAllowed: true }).questions;
    assert.match(typed?.message ?? "", /PRODUCTION desk\.$/);
    const [modal] = asked({
      intent: { ...CANCEL, words: { ...CANCEL.words, detail: [] } },
      isEarlierUnknown: true,
    }).questions;
    assert.equal(
      modal?.kind === "modal" && modal.detail,
      "The outcome of an earlier attempt is unknown. The change may already have been made.",
    );
  });

  test("an amount that is no amount is not what is typed", () => {
    const typed = (amount: string): string =>
      summary(
        asked({
          intent: { ...REQUEST, paramsText: `{"amount":${amount}}` },
          effect: "money",
          environment: "production",
          areChangesAllowed: true,
        }),
      );
    assert.deepEqual(['""', "null", "true", "[1]", '"0.5"', "0.10"].map(typed), [
      "typed desk",
      "typed desk",
      "typed desk",
      "typed desk",
      "typed 0.5",
      "typed 0.1",
    ]);
  });

  test("a mass change shows the request of a file, and the view that it is about", () => {
    const ofFile = asked({ intent: { ...CANCEL, origin: "requestFile" }, effect: "mass" }).questions[0];
    assert.deepEqual(ofFile?.kind === "modal" && [ofFile.show, "about" in ofFile], ["Show Request", false]);
    const ofQuotes = asked({ intent: { ...CANCEL, words: { ...CANCEL.words, about: "quotes" } }, effect: "mass" })
      .questions[0];
    assert.equal(ofQuotes?.kind === "modal" && ofQuotes.about, "quotes");
    const ofNothing = asked({ effect: "mass" }).questions[0];
    assert.equal(ofNothing !== undefined && "about" in ofNothing, false);
    const single = asked({ effect: "write" }).questions[0];
    assert.equal(single !== undefined && "show" in single, false);
  });

  test("where not all of a request fits, the first button shows it, and typing comes after that", () => {
    const intent: Intent = { ...REQUEST, words: { ...REQUEST.words, isCut: true } };
    const allowed = { intent, environment: "production", areChangesAllowed: true } as const;
    assert.equal(summary(asked({ intent, effect: "write" })), "modal [Show Request] [Send Request] [Don't Send]");
    assert.equal(summary(asked({ ...allowed, effect: "write" })), "modal [Show Request] [Send Request] [Don't Send]");
    assert.equal(
      summary(asked({ ...allowed, effect: "money" })),
      "modal [Show Request] [Send Request] [Don't Send], then typed 0.1",
    );
    assert.equal(
      summary(asked({ ...allowed, effect: "mass" })),
      "modal [Show Request] [Send Request] [Don't Send], then typed desk",
    );
    assert.equal(
      summary(asked({ ...allowed, effect: "key" })),
      "modal [Show Request] [Send Request] [Don't Send], then typed desk",
    );
    const [shown, typed] = asked({ ...allowed, effect: "money" }).questions;
    assert.deepEqual(shown?.kind === "modal" && shown.request, {
      method: intent.method,
      paramsText: intent.paramsText,
    });
    assert.equal(
      typed?.message,
      "Type 0.1 (the amount) to confirm: Send Request: private/withdraw on PRODUCTION desk.",
    );
  });

  test("where a prompt has no room for the details, a dialog has them first", () => {
    const detail = Array.from({ length: 12 }, (_, index) => asPlain(`"price": ${String(index)}, ${"x".repeat(20)}`));
    const intent: Intent = { ...REQUEST, words: { ...REQUEST.words, detail } };
    const allowed = { intent, environment: "production", areChangesAllowed: true } as const;
    assert.equal(summary(asked({ ...allowed, effect: "money" })), "modal [Send Request] [Don't Send], then typed 0.1");
    const [shown, typed] = asked({ ...allowed, effect: "mass" }).questions;
    assert.equal(shown?.kind === "modal" && shown.detail, detail.join("\n"));
    assert.equal(
      typed?.message,
      "Type desk (the connection name) to confirm: Send Request: private/withdraw on PRODUCTION desk.",
    );
    const ofView: Intent = { ...CANCEL, typed: "12", words: { ...CANCEL.words, detail } };
    assert.equal(summary(asked({ ...allowed, intent: ofView, effect: "mass" })), "typed 12");
  });

  test("a prompt has room for 300 characters of details", () => {
    const summaryOf = (length: number): string => {
      const intent: Intent = { ...REQUEST, words: { ...REQUEST.words, detail: [asPlain("x".repeat(length))] } };
      return summary(asked({ intent, effect: "money", environment: "production", areChangesAllowed: true }));
    };
    assert.deepEqual([300, 301].map(summaryOf), ["typed 0.1", "modal [Send Request] [Don't Send], then typed 0.1"]);
  });

  test("Enter places no order with real money, unless a file has the request", () => {
    const order: Intent = { ...CANCEL, method: "private/buy" };
    const real = { intent: order, effect: "write", environment: "production", areChangesAllowed: true } as const;
    assert.deepEqual(
      [
        real,
        { ...real, environment: "test" } as const,
        { ...real, intent: { ...order, origin: "requestFile" } } as const,
        { ...real, intent: { ...order, method: "private/edit" } },
      ].map((each) => summary(asked(each))),
      [
        "modal [Review First] [Cancel Order] [Keep Order]",
        "modal [Cancel Order] [Keep Order]",
        "modal [Cancel Order] [Keep Order]",
        "modal [Cancel Order] [Keep Order]",
      ],
    );
  });

  test("a price that is typed is said to be outside of the price band, and a size that is not told is typed as the name", () => {
    const order: Intent = { ...CANCEL, method: "private/buy", isBlind: true, typed: "2100" };
    assert.equal(
      asked({ intent: order, effect: "write" }).questions.at(-1)?.message,
      "Type 2100 (the price, outside of the price band) to confirm: Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main. id ETH-1 · label mm-1",
    );
    assert.equal(
      asked({ effect: "write", unsized: "size" }).questions.at(-1)?.message,
      "Type main (the connection name) to confirm: Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main. id ETH-1 · label mm-1",
    );
  });

  test("a refusal says that cancels alone are allowed", () => {
    const decision = decide(input({ effect: "write", environment: "production", areCancelsAllowed: true }));
    assert.equal(
      decision.kind === "refuse" && decision.reason,
      "PRODUCTION desk currently allows only cancels. Use Allow Changes… to allow other changes for 30 minutes.",
    );
  });

  test("a connection that was switched says to whom", () => {
    assert.deepEqual(
      [
        connectionName("main", undefined),
        connectionName("main", { id: 9, name: "desk" }),
        connectionName("main", { id: 9, name: undefined }),
      ],
      ["main", "main ▸ desk", "main ▸ account 9"],
    );
    assert.deepEqual(
      ["Simulator", "simulator 2", "my simulator"].map((name) => environmentWords("simulator", name)),
      ["SIMULATOR", "SIMULATOR 2", "SIMULATOR my simulator"],
    );
  });

  test("methods of channels are followed and ended; those that act on the shared session are refused, each with its reason", () => {
    const methods = [
      "public/subscribe",
      "private/subscribe",
      "public/unsubscribe",
      "private/unsubscribe",
      "private/cancel",
    ];
    assert.deepEqual(methods.map(channelMethod), ["follow", "follow", "end", "end", undefined]);
    assert.deepEqual([...methods, "public/exchange_token"].map(sessionRefusal), [
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for (const method of [
      "public/auth",
      "public/fork_token",
      "private/logout",
      "public/set_heartbeat",
      "public/disable_heartbeat",
      "public/unsubscribe_all",
      "private/unsubscribe_all",
    ]) {
      assert.match(sessionRefusal(method) ?? "", new RegExp(`^${method} can't be sent because \\w`));
      assert.doesNotMatch(sessionRefusal(method) ?? "", /affect the connection shared by all views and request files/);
    }
    for (const method of methods.slice(0, 4)) {
      const decision = decide(input({ intent: { ...CANCEL, method }, effect: "session" }));
      assert.equal(
        decision.kind === "refuse" && decision.reason,
        `${method} can't be sent here. Request files subscribe in their own editor tab, separately from the views.`,
      );
    }
    const unknown = decide(input({ intent: { ...CANCEL, method: "public/someday" }, effect: "session" }));
    assert.equal(
      unknown.kind === "refuse" && unknown.reason,
      "public/someday can't be sent because it would affect the connection shared by all views and request files. Remove the request.",
    );
  });
});
