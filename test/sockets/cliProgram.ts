import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";

/* The terminal program as it ships, bundled into a folder of its own, for tests that start it with other programs. */

/** A program that was started. */
export interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly code: Promise<number | null>;
  /** Resolves once its standard output has a text. */
  readonly said: (text: string) => Promise<void>;
}

export interface CliProgram {
  readonly folder: string;
  /** Starts trading-rpc. */
  readonly start: (words: readonly string[], variables?: Record<string, string>) => Started;
  /** Runs trading-rpc to its end. */
  readonly run: (
    ...words: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  readonly remove: () => void;
}

/** Bundles trading-rpc and its simulator. */
export async function bundleCli(): Promise<CliProgram> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-cli-"));
  fs.copyFileSync("package.json", path.join(folder, "package.json"));
  const esbuild = createRequire(path.resolve("package.json"))("esbuild") as {
    build(options: object): Promise<unknown>;
  };
  await esbuild.build({
    ...{ entryPoints: ["src/cli.ts", "src/simulator.ts"], outdir: path.join(folder, "dist") },
    ...{ bundle: true, platform: "node", target: "node20", format: "cjs", mainFields: ["module", "main"] },
    logLevel: "error",
  });
  const start: CliProgram["start"] = (words, variables) =>
    startProgram([path.join(folder, "dist", "cli.js"), ...words], { cwd: folder, variables });
  return {
    folder,
    start,
    async run(...words) {
      const { code, out, err } = start(words, { TRADING_RPC_PROD_CLIENT_SECRET: "canary" });
      return { code: await code, out: out(), err: err() };
    },
    remove: () => fs.rmSync(folder, { recursive: true }),
  };
}

/** Starts a program of Node. */
export function startProgram(
  words: readonly string[],
  { cwd, variables }: { readonly cwd: string; readonly variables?: Record<string, string> | undefined },
): Started {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  const looks = new Set<() => void>();
  child.stdout.on("data", (piece: Buffer) => {
    out += piece.toString();
    for (const look of looks) look();
  });
  child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
  const said = async (wanted: string): Promise<void> =>
    await new Promise((resolve) => {
      const look = (): void => {
        if (out.includes(wanted)) resolve();
      };
      looks.add(look);
      look();
    });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, code, said, out: () => out, err: () => err };
}
