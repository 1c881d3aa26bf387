import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { changedText, type Replacement } from "./test/planted/planting.ts";
import { size } from "./test/rounds.mjs";

/** Projects that test what ships, or that need a VS Code. */
const OF_PACKAGE = ["package", "editor", "clients", "openrpc"];

/** Where the exchange's recorded messages are, outside the repository; without them nothing of "recorded" runs. */
const MESSAGES = "../shared/exchange/data";

/** Test files by project. Those of the first row import the sources and run in Node alone. */
const PROJECTS = {
  core: ["test/core/**/*.test.ts", "test/architecture.test.ts", "test/bench/*.test.mjs"],
  ...Object.fromEntries(
    ["sockets", "faults", "replay", "simulation"].map((name) => [name, [`test/${name}/**/*.test.ts`]]),
  ),
  ...(fs.existsSync(MESSAGES) ? { recorded: ["test/recorded/**/*.test.ts"] } : {}),
  planted: ["test/planted/*.test.ts"],
  check: ["test/check.test.mjs"],
  package: ["package", "tarball", "budget", "release", "products", "simulatorProgram", "library"].map(
    (name) => `test/host/${name}.test.{mjs,ts}`,
  ),
  openrpc: ["test/openrpc/*.test.mjs"],
  editor: ["test/host/editor.test.mjs"],
  clients: ["test/clients/*.test.mjs"],
} satisfies Record<string, string[]>;

/**
 * Loads at once what the product loads when it is first needed (`await import("./x.ts")`): the clock of a test waits
 * for promises and not for the disk.
 */
const eagerImports: Plugin = {
  name: "eager-imports",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(path.resolve("src") + path.sep)) return undefined;
    const imports: string[] = [];
    const text = code.replaceAll(/\bawait import\((".+?")\)/g, (_, file: string) => {
      imports.push(`import * as lazy${imports.length} from ${file};`);
      return `await Promise.resolve(lazy${imports.length - 1})`;
    });
    return imports.length === 0 ? undefined : { code: `${text}\n${imports.join("\n")}`, map: null };
  },
};

/** Serves sources with the bug that test/planted/plant.mjs has planted. */
const plantedBug: Plugin = {
  name: "planted-bug",
  enforce: "pre",
  transform(code, id) {
    const { RPC_PLANTED: planted } = process.env;
    if (planted === undefined || !id.startsWith(path.resolve("src") + path.sep)) return undefined;
    return { code: changedText(id, code, JSON.parse(planted) as readonly Replacement[]), map: null };
  },
};

const PROCESSORS = Math.max(2, os.availableParallelism());

/** When a project runs, and in how many processes its files do: that with a window comes after the rest. */
function placeOf(name: string): { maxWorkers: number; sequence: { groupOrder: number } } {
  if (size === "short") return { maxWorkers: PROCESSORS + 1, sequence: { groupOrder: 0 } };
  return { maxWorkers: PROCESSORS, sequence: { groupOrder: name === "editor" ? 1 : 0 } };
}

export default defineConfig({
  plugins: [plantedBug, eagerImports],
  resolve: { alias: { vscode: path.resolve("test/editorStandIn.ts") } },
  test: {
    // Everything that a file sets up is closed by it, so that files can share a process and what it has loaded.
    pool: "forks",
    isolate: false,
    allowOnly: false,
    // A golden text is written by `npm run golden` alone.
    update: "none",
    testTimeout: { short: 4, full: 6, long: 90 }[size] * 60_000,
    hookTimeout: 4 * 60_000,
    teardownTimeout: 10_000,
    globalSetup: ["test/globalSetup.mjs"],
    reporters: ["default", "./test/reporter.mjs"],
    // A test that passed has nothing to say.
    silent: "passed-only",
    coverage: { provider: "v8", include: ["src/**/*.ts"], exclude: ["src/catalogue/generated/**", "src/panel/**"] },
    projects: Object.entries(PROJECTS).map(([name, include]) => ({
      extends: true as const,
      test: {
        name,
        include,
        ...placeOf(name),
        globalSetup: OF_PACKAGE.includes(name) ? ["test/packageSetup.mjs"] : [],
        exclude: ["**/.cache/**", ...(process.env["RPC_ROUNDS"] === "short" ? ["**/*.full.test.*"] : [])],
      },
    })),
  },
});
