import { describe, expect, test } from "vitest";
import { expectGolden } from "../../golden.ts";
import { CANCEL_FATES } from "./cancelFates.ts";
import { CHANGES } from "./changes.ts";
import { COMMANDS } from "./commands.ts";
import { kindsOf, play } from "./play.ts";
import { nameOf, orderText, type Row } from "./text.ts";

/*
 * Rows F58 to F67 of the fault matrix: one cancel in flight, whatever the server and the link do to it and to its order.
 */

describe("a cancel in flight", () => {
  test("what is told is proved (F58, F59, F60, F61, F62, F63, F64, F65, F66, F67)", async () => {
    const [cancel] = CHANGES.orders;
    expect(nameOf(cancel!)).toBe("private/cancel");
    const change = { ...cancel!, intent: COMMANDS["private/cancel"]! };
    const rows: Row[] = [];
    for (const fate of CANCEL_FATES) {
      const played = await play(change, fate);
      expect.soft(played.sent, fate.name).toBe(1);
      expect.soft(played.journal, fate.name).toEqual(kindsOf(played));
      rows.push({ fate: fate.name, played });
    }
    await expectGolden("test/core/fates/cancel.golden.txt", orderText({ change, rows }));
  });
});
