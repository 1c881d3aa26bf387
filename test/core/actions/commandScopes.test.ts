import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { COMMAND_CALLS } from "../../../src/actions/changes/commandScopes.ts";
import { effectOf, methodFacts } from "../../../src/catalogue/index.ts";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
  };
}

const { commands, menus } = (JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest).contributes;
const NAMES = Object.keys(COMMAND_CALLS).map((name) => `tradingRpc.${name}`);

describe("commands that need a scope", () => {
  test("are commands, and what they call is known", () => {
    const found = NAMES.filter((name) => !commands.some(({ command }) => command === name));
    assert.deepEqual(found, []);
    for (const { method } of Object.values(COMMAND_CALLS).flat())
      assert.notDeepEqual(methodFacts(method)?.scopes ?? [], [], method);
    for (const [name, calls] of Object.entries(COMMAND_CALLS))
      if (name.includes("cancel"))
        assert.ok(
          calls.every(({ method }) => effectOf(method) !== "read"),
          name,
        );
  });

  test("leave the menus of the views without it, and stay in the palette to say what is missing", () => {
    const entries = [...(menus["view/title"] ?? []), ...(menus["view/item/context"] ?? [])];
    for (const { command, when = "" } of entries) {
      // A submenu only arranges what is shown.
      if (command === undefined) continue;
      // In a title stands what does the same as in the palette.
      const named = command.replace(/FromTitle$/, "");
      const clause = `!tradingRpc.lacksScope.${named.replace("tradingRpc.", "")}`;
      assert.equal(when.includes("lacksScope"), NAMES.includes(named), `${command}: ${when}`);
      if (NAMES.includes(named)) assert.ok(when.endsWith(clause), `${command}: ${when}`);
    }
    for (const { command, when = "" } of menus["commandPalette"] ?? [])
      assert.ok(!when.includes("lacksScope"), String(command));
  });
});

describe("the title of a view", () => {
  test("has no command that acts on a row: VS Code passes the focused row, which the user did not choose", () => {
    const takesNothing = ["tradingRpc.log.show", "tradingRpc.fills.refresh"];
    const actsOnRows = new Set(
      (menus["view/item/context"] ?? [])
        .flatMap(({ command }) => command ?? [])
        .filter((command) => !takesNothing.includes(command)),
    );
    assert.deepEqual(
      (menus["view/title"] ?? []).flatMap(({ command }) => command ?? []).filter((command) => actsOnRows.has(command)),
      [],
    );
  });
});
