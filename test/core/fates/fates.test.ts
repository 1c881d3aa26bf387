import { describe, expect, test } from "vitest";
import { whyNotSent } from "../../../src/actions/changes/changes.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { isOfferedAt } from "../../../src/catalogue/offer.ts";
import { expectGolden } from "../../golden.ts";
import { CHANGES, type Area, type Change } from "./changes.ts";
import { COMMANDS } from "./commands.ts";
import { FATES } from "./fates.ts";
import { kindsOf, play } from "./play.ts";
import { areaText, nameOf, type Row } from "./text.ts";

/*
 * Every change with every fate: what is sent, what the user is told, what reads prove later, and how `trading-rpc run`
 * ends. The golden files are the table.
 */

/** Returns a change of a request file, and of a command where there is one. */
function byFileAndCommand(change: Change): readonly Change[] {
  const intent = change.variant === undefined ? COMMANDS[change.method] : undefined;
  return intent === undefined ? [change] : [change, { ...change, variant: "by command", intent }];
}

describe("the fates of changes", () => {
  test("are told of every change that can be sent", () => {
    const told = new Set(Object.values(CHANGES).flatMap((each) => each.map(({ method }) => method)));
    // The server is one of the exchange itself.
    const sent = allMethods()
      .filter(({ name }) => isOfferedAt(name, "native"))
      .filter(({ name, effect }) => effect !== "read" && whyNotSent(name) === undefined);
    expect(sent.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
    expect(told.size).toBe(sent.length);
  });

  for (const area of Object.keys(CHANGES) as readonly Area[])
    test(area, async () => {
      const sections = [];
      for (const change of CHANGES[area].flatMap(byFileAndCommand)) {
        const rows: Row[] = [];
        for (const fate of FATES) {
          const played = await play(change, fate);
          expect.soft(played.sent, `${nameOf(change)}: ${fate.name}`).toBe(1);
          expect.soft(played.journal, `${nameOf(change)}: ${fate.name}`).toEqual(kindsOf(played));
          rows.push({ fate: fate.name, played });
        }
        sections.push({ change, rows });
      }
      await expectGolden(`test/core/fates/${area}.golden.txt`, areaText(sections));
    });
});
