import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../../../src/catalogue/index.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { methodGroups } from "../../../../src/present/requests/methodChoices.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import type { Choice, Heading } from "../../../../src/ui/editor/dialogSteps.ts";
import { browseMethods } from "../../../../src/ui/requests/newRequests.ts";
import { filledSnippet } from "../../../snippets.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/** Returns the result of a list with scripted input. */
async function browsed(...answers: readonly ScriptedAnswer[]): Promise<{
  readonly shown: readonly string[];
  readonly requests: readonly string[];
  readonly pages: readonly string[];
}> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const requests: string[] = [];
  const pages: string[] = [];
  await browseMethods({
    dialogs,
    openRequest: async (snippet) => await Promise.resolve(void requests.push(snippet)),
    openDocumentation: (method) => void pages.push(method),
  });
  done();
  return { shown, requests, pages };
}

function labels(typed: string): string[] {
  return methodGroups(typed).flatMap(({ heading, choices }) => [`-- ${heading}`, ...choices.map(({ label }) => label)]);
}

describe("Browse Methods", () => {
  test("lists all methods by section, and all channels", () => {
    const groups = methodGroups("");
    assert.deepEqual(
      groups.map(({ heading, choices }) => `${heading} ${String(choices.length)}`),
      [
        ...["Account Management 44", "Authentication 4", "Block RFQ 13", "Block Trade 12", "Combo Books 5"],
        ...[
          "Liquidity Support 4",
          "Market Data 31",
          "Session Management 5",
          "Subscription Management 6",
          "Supporting 4",
        ],
        ...["Trading 40", "Wallet 24", "Channels 52"],
      ],
    );
    assert.equal(groups.slice(0, -1).flatMap(({ choices }) => choices).length, allMethods().length);
  });

  test("finds words of the name, the summary, and the section, in any order; names come first", () => {
    assert.deepEqual(labels("label cancel"), [
      ...["-- Trading", "private/cancel_by_label"],
      ...["-- Block RFQ", "private/cancel_all_block_rfq_quotes", "private/cancel_block_rfq_quote"],
    ]);
    assert.deepEqual(labels("PLACES buy"), ["-- Trading", "private/buy"]);
    assert.equal(labels("buy")[1], "private/buy");
    assert.ok(labels("wallet transfer").includes("private/get_transfers"));
    assert.deepEqual(labels("portfolio currency").slice(-3), [
      ...["-- Channels", "user.isolated.portfolio.{currency}", "user.portfolio.{currency}"],
    ]);
    assert.deepEqual(labels("no such words"), []);
  });

  test("says what a method does and needs, and which are never sent from a file", () => {
    const choices = new Map(methodGroups("").flatMap(({ choices: of }) => of.map((each) => [each.label, each])));
    const told = (label: Plain): string =>
      `${choices.get(label)?.description ?? ""} | ${choices.get(label)?.detail ?? ""}`;
    assert.equal(told(plain`private/buy`), "write request · trade:read_write | Places a buy order.");
    assert.match(told(plain`private/logout`), /^acts on the connection · not sent from files \| /);
    assert.equal(
      told(plain`user.orders.{kind}.{currency}.raw`),
      "private channel · trade:read | Order changes by kind and currency. any matches all.",
    );
    assert.match(told(plain`ticker.{instrument_name}.{interval}`), /^public channel \| /);
  });

  test("Enter opens a request with its places; nothing is opened when the list is left", async () => {
    const { requests, shown } = await browsed("type place buy", "private/buy");
    assert.match(shown[0] ?? "", /^Browse Methods: Search names and descriptions \(nothing is sent\) <-- Account Man/);
    const [snippet = ""] = requests;
    assert.equal(scanRequests(filledSnippet(snippet)).requests[0]?.method, "private/buy");
    assert.deepEqual((await browsed(LEAVE)).requests, []);
  });

  test("a channel opens a request that follows it, with the access that it needs", async () => {
    for (const [channel, method, text] of [
      ["ticker.{instrument_name}.{interval}", "public/subscribe", "ticker.instrument_name.raw"],
      ["user.orders.{kind}.{currency}.raw", "private/subscribe", "user.orders.any.any.raw"],
      ["announcements", "public/subscribe", "announcements"],
    ] as const) {
      const { requests } = await browsed(`type ${channel}`, channel);
      const filled = filledSnippet(requests[0] ?? "");
      const file = scanRequests(filled);
      assert.deepEqual(checkFile(file), [], filled);
      assert.equal(file.requests[0]?.method, method);
      assert.deepEqual(JSON.parse(file.requests[0].paramsText), { channels: [text] });
    }
  });

  test("every choice that can be sent opens a request without problems", () => {
    for (const { choices } of methodGroups(""))
      for (const { label, snippet } of choices) {
        if (snippet === undefined) continue;
        const filled = filledSnippet(snippet());
        assert.deepEqual(
          checkFile(scanRequests(filled)).map(({ message }) => message),
          [],
          `${label} ${filled}`,
        );
      }
  });

  test("a button opens the documentation and leaves the list open; so does a method that is never sent", async () => {
    const pages: string[] = [];
    const requests: string[] = [];
    const rows: (Choice<unknown> | Heading)[] = [];
    const results: unknown[] = [];
    const askList: Dialogs["askList"] = async ({ rows: rowsOf, accept }) => {
      const found = rowsOf("logout");
      rows.push(...found);
      const [row] = found.flatMap((each) => ("value" in each ? [each] : []));
      const [buy] = rowsOf("places buy").flatMap((each) => ("value" in each ? [each] : []));
      for (const value of [row?.value, row?.buttons?.[0]?.value, buy?.buttons?.[0]?.value])
        results.push(value === undefined ? "none" : accept({ selected: [value], active: [value], typed: "" }));
      return await Promise.resolve({ kind: "left" });
    };
    await browseMethods({
      dialogs: { askList },
      openRequest: async (snippet) => await Promise.resolve(void requests.push(snippet)),
      openDocumentation: (method) => void pages.push(method),
    });
    assert.deepEqual(pages, ["private/logout", "private/logout", "private/buy"]);
    assert.deepEqual(results, [undefined, undefined, undefined]);
    assert.deepEqual(requests, []);
    assert.ok(rows.some((row) => "heading" in row && row.heading === "Authentication"));
  });
});
