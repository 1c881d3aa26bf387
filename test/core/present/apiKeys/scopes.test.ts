import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../../../src/catalogue/index.ts";
import { channels } from "../../../../src/catalogue/channels.ts";
import { scopeLines } from "../../../../src/catalogue/scopeLines.ts";
import {
  enabledBy,
  grantedAreasText,
  missingSentences,
  scopeLineSentences,
  scopeLineTexts,
  spokenScopeLine,
} from "../../../../src/present/apiKeys/scopes.ts";

function rows(scope: string | readonly string[]): string[] {
  return scopeLines(scope).map((line) => {
    const { label, value } = scopeLineTexts(line);
    return `${label} | ${value}`;
  });
}

describe("a scope as area × level", () => {
  const TABLE = [
    "account | none (not listed)",
    "trade | read_write",
    "block_trade | none (not listed)",
    "block_rfq | none (not listed)",
    "wallet | none",
  ];

  test("both spellings say the same", () => {
    assert.deepEqual(rows("trade:read_write wallet:none"), TABLE);
    assert.deepEqual(rows(["wallet:none", "trade:read_write"]), TABLE);
    assert.deepEqual(rows(["wallet:none trade:read_write"]), TABLE);
  });

  test("unknown entries are kept as received, in their order", () => {
    const shown = rows(
      "session:lab custody:read trade:read expires:600 ip:10.0.0.1 mainaccount app_id:7 vault:read_write vault:admin a:b:c name:maker_1",
    );
    assert.deepEqual(
      shown.slice(5),
      [
        "custody | read",
        "vault | read_write",
        "session | lab",
        "expires | 600",
        "ip | 10.0.0.1",
        "mainaccount |",
        "app_id | 7",
        "vault | admin",
        "a | b:c",
        "name | maker_1",
      ].map((row) => (row.endsWith("|") ? `${row} ` : row)),
    );
  });

  test("said twice, the higher level counts, and there is one row", () => {
    const found = rows("trade:read trade:read_write trade:none")
      .slice(0, 5)
      .filter((row) => row.startsWith("trade"));
    assert.deepEqual(found, ["trade | read_write"]);
  });

  test("nothing at all", () => {
    assert.deepEqual(
      rows(""),
      ["account", "trade", "block_trade", "block_rfq", "wallet"].map((area) => `${area} | none (not listed)`),
    );
    assert.equal(grantedAreasText(""), "nothing");
    assert.equal(grantedAreasText("trade:read_write wallet:read block_rfq:none"), "trade read and write, wallet read");
  });

  test("text from outside cannot forge anything", () => {
    const [line] = scopeLines("$(lock):`x`](command:y)").slice(5);
    assert.ok(line);
    assert.deepEqual(scopeLineTexts(line), { label: "$ (lock)", value: "'x'] (command:y)" });
  });

  test("each line in sentences: what it allows, and what is missing by the name of its scope", () => {
    const [, trade] = scopeLines("trade:read");
    assert.ok(trade);
    assert.equal(spokenScopeLine(trade), "trade: read");
    assert.deepEqual(scopeLineSentences(trade), [
      "Allows: open orders, trades, or MMP for orders.",
      "Without trade:read_write: no cancelling or placing orders, setting or resetting MMP for orders.",
    ]);
    const sentencesOf = (text: string): string[] => scopeLines(text).slice(5).flatMap(scopeLineSentences);
    assert.deepEqual(
      sentencesOf("connection session:lab expires:600 ip:* ip:10.0.0.1 mainaccount name:x app_id:7 odd:thing"),
      [
        "The access token expires when its connection ends.",
        "The access token belongs to a session with this name.",
        "The access token is valid for 10 min.",
        "The access token can be used from any address.",
        "The access token can be used only from this address.",
        "The access token belongs to the main account.",
        "The name of the API key.",
        "The registered application that the access token was created for.",
      ],
    );
    assert.deepEqual(missingSentences({ kind: "area", area: "vault", level: "none", isNamed: true }), []);
  });

  test("every scope of the catalogue has words", () => {
    const scopes = [
      ...allMethods().flatMap((facts) => [...facts.scopes, ...(facts.scopesWhen?.scopes ?? [])]),
      ...channels.flatMap((each) => each.scopes),
    ];
    assert.ok(scopes.length > 20);
    for (const scope of scopes) {
      const [area = "", level] = scope.split(":");
      assert.ok(level === "read" || level === "read_write", scope);
      assert.ok((enabledBy(area, level)?.length ?? 0) > 5, scope);
    }
  });
});
