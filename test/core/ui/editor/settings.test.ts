import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { SafetySettings } from "../../../../src/actions/gate/policy.ts";
import { useEditor } from "../../../editorStandIn.ts";

/** A value of a setting in each place where VS Code lets one be. */
interface Placed {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly globalLanguageValue?: unknown;
  readonly workspaceLanguageValue?: unknown;
}

describe("the settings of the user", () => {
  let placed: Readonly<Record<string, Placed>> = {};
  useEditor({
    workspace: {
      getConfiguration: () => ({
        inspect: (name: string) => placed[name],
        // As VS Code does it: the value that is nearest to the file wins.
        get: (name: string) =>
          placed[name]?.workspaceFolderValue ?? placed[name]?.workspaceValue ?? placed[name]?.globalValue,
      }),
      onDidChangeConfiguration: () => ({ dispose: () => undefined }),
    },
  });
  const safety = async (given: typeof placed): Promise<SafetySettings> => {
    placed = given;
    const { createSettings } = await import("../../../../src/ui/editor/settings.ts");
    return createSettings().safety();
  };
  const folder = (value: unknown): Placed => ({
    workspaceValue: value,
    workspaceFolderValue: value,
    workspaceLanguageValue: value,
  });

  test("a folder cannot turn trading on again that the user has turned off", async () => {
    for (const value of ["ask", true, "allow", null]) {
      const { allowTrading } = await safety({ "safety.allowTrading": { ...folder(value), globalValue: "never" } });
      assert.equal(allowTrading, "never");
    }
  });

  test("no value of the setting allows trading: each but never asks", async () => {
    for (const globalValue of ["ask", "always", true, 1e9, undefined])
      assert.equal((await safety({ "safety.allowTrading": { globalValue, defaultValue: "ask" } })).allowTrading, "ask");
  });

  test("a folder changes nothing about what is confirmed, or for how long", async () => {
    assert.deepEqual(
      await safety({
        "safety.confirmCancel": { ...folder("productionOnly"), defaultValue: "always" },
        "safety.allowChangesMinutes": { ...folder(240), globalValue: 5 },
      }),
      { confirmCancel: "always", allowChangesMinutes: 5, allowTrading: "ask" },
    );
  });
});
