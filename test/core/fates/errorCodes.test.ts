import { describe, expect, test } from "vitest";
import { ERROR_ROWS } from "../../../src/catalogue/errorTable.ts";
import { expectGolden } from "../../golden.ts";
import { CHANGES, type Change } from "./changes.ts";
import { createRefusals } from "./play.ts";
import { nameOf } from "./text.ts";

/*
 * What each error code proves about a change of each effect, as the gate judges it, and what the user is told. A code
 * that proves nothing leaves the outcome unknown.
 */

/** A change of each effect, and an order with a deadline, for which one code more is a proof. */
const COLUMNS = [
  "private/buy",
  "private/buy with a deadline",
  "private/cancel",
  "private/cancel_all",
  "private/mass_quote",
  "private/edit_api_key",
  "private/withdraw",
  "public/exchange_token",
];

const changes: readonly Change[] = COLUMNS.flatMap(
  (column) =>
    Object.values(CHANGES)
      .flat()
      .find((change) => nameOf(change) === column) ?? [],
);

/** Returns the columns for which a code is a refusal, shortly. */
function refusedText(refused: readonly string[]): string {
  const left = COLUMNS.filter((column) => !refused.includes(column));
  if (refused.length === 0) return "unknown for all";
  if (left.length === 0) return "refused for all";
  return refused.length <= left.length ? `refused for ${refused.join(", ")}` : `refused but for ${left.join(", ")}`;
}

describe("error codes", () => {
  test("prove a refusal or nothing", async () => {
    expect(changes.length).toBe(COLUMNS.length);
    const lines: string[] = [];
    const columns = changes.map((change) => ({ change, refusals: createRefusals(change) }));
    for (const { code, name } of ERROR_ROWS) {
      const refused: string[] = [];
      let sentence = "";
      for (const { change, refusals } of columns) {
        const told = await refusals.refuse({ code, message: name });
        expect(told.kind).toMatch(/^(?:rejected|unknown) \(/);
        if (told.kind.startsWith("rejected")) refused.push(nameOf(change));
        if (told.kind.startsWith("rejected") && sentence === "")
          sentence = told.sentence.replace(/^.*The exchange returned error -?\d+: [^.]+\. /, "");
      }
      lines.push(`${String(code)} ${name}: ${refusedText(refused)}`, ...(sentence === "" ? [] : [`  ${sentence}`]));
    }
    for (const { refusals } of columns) refusals.dispose();
    await expectGolden("test/core/fates/errorCodes.golden.txt", `${lines.join("\n")}\n`);
  });
});
