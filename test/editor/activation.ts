import assert from "node:assert/strict";
import * as fs from "node:fs";
import Module from "node:module";
import * as path from "node:path";
import * as vscode from "vscode";
import { describe, it } from "mocha";
import { openRequests, until } from "./window.ts";

/*
 * Which files of the extension the host has loaded by when: nothing before it is used. It goes first, in an unused
 * window.
 */

const EXTENSION = "trading-rpc.trading-rpc";
/** Programs of their own, in threads or processes of their own, and the script of a page. */
const NEVER_IN_THE_HOST = ["cli.js", "panel.js", "simulator.js"];

/** What is loaded once a command has connected. A connection that comes back needs no command and no collapsed view. */
const CONNECTED = ["extension.js", "main.js", "collapsedViews.js", "commands.js", "responses.js", "alarms.js"];

interface BuiltFile {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

export function describeActivation(): void {
  const extension = (): vscode.Extension<unknown> => {
    const found = vscode.extensions.getExtension(EXTENSION);
    assert.ok(found);
    return found;
  };
  const dist = (): string => path.join(extension().extensionPath, "dist");

  /** Names of our files in the host's cache of modules, but for those of the tests. */
  const loaded = (): string[] => {
    const { _cache: cache } = Module as unknown as { readonly _cache: Readonly<Record<string, unknown>> };
    return Object.keys(cache)
      .filter((file) => path.dirname(file) === dist())
      .map((file) => path.basename(file))
      .sort();
  };

  /** These files and all that they import at once, as the build has noted it. */
  const withImports = (names: readonly string[]): string[] => {
    const { outputs } = JSON.parse(fs.readFileSync(path.join(dist(), "meta.json"), "utf8")) as {
      readonly outputs: Readonly<Record<string, BuiltFile>>;
    };
    const all = new Set<string>();
    const visit = (name: string): void => {
      if (all.has(name)) return;
      all.add(name);
      for (const { path: file, kind } of outputs[`dist/${name}`]?.imports ?? [])
        if (kind === "import-statement" && `dist/${path.basename(file)}` in outputs) visit(path.basename(file));
    };
    names.forEach(visit);
    return [...all].sort();
  };

  /** `atAnyTime`: what is loaded by itself once it is known that the folder has request files, as this one does. */
  const isOnly = (names: readonly string[], atAnyTime: readonly string[] = []): void => {
    const wanted = withImports(names);
    const possible = new Set(withImports([...names, ...atAnyTime]));
    const found = loaded().filter((name) => wanted.includes(name) || !possible.has(name));
    assert.deepEqual(found, wanted);
    assert.deepEqual(
      loaded().filter((name) => NEVER_IN_THE_HOST.includes(name)),
      [],
    );
  };

  describe("what is loaded", () => {
    it("at activation the entry, and nothing of the program", async () => {
      await extension().activate();
      isOnly(["extension.js"]);
    });

    it("at the first view the program, and not its commands", async () => {
      await vscode.commands.executeCommand("tradingRpc.start.focus");
      await until("the program", () => (loaded().includes("main.js") ? true : undefined));
      isOnly(["extension.js", "main.js"], ["collapsedViews.js", "requests.js"]);
    });

    it("at the first connection its commands and alarms", async () => {
      await vscode.commands.executeCommand("tradingRpc.simulator.start");
      await until("the alarms", () => (loaded().includes("alarms.js") ? true : undefined));
      isOnly(CONNECTED, ["requests.js"]);
    });

    it("once a request file is open what reads it", async () => {
      await openRequests("loading", '{ "method": "public/test" }');
      await until("what reads request files", () => (loaded().includes("requests.js") ? true : undefined));
      isOnly([...CONNECTED, "requests.js"]);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    });

    it("at the first command of a view nothing more", async () => {
      await vscode.commands.executeCommand("tradingRpc.order.copyId", "no-such-row");
      isOnly([...CONNECTED, "requests.js"]);
      await vscode.commands.executeCommand("tradingRpc.connection.disconnect");
    });
  });
}
