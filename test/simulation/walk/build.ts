import path from "node:path";
import type { Plugin } from "esbuild";
import { buildPlanted, type Replacement } from "../../planted/planting.ts";

/** What the extension takes from the machine and the editor, and what stands in its place. */
const IN_PLACE: readonly (readonly [wanted: RegExp, file: string, importer?: RegExp])[] = [
  [/^vscode$/, "editor.ts"],
  [/^node:fs\/promises$/, "disk.ts"],
  [/^node:fs$/, "disk.ts", /\/chosenFile\.ts$/],
  [/\/(?:webSocketTransport|simulatorWorker|httpExchange)\.ts$/, "net.ts"],
];

const played: Plugin = {
  name: "played",
  setup(build) {
    for (const [filter, file, wantedBy = /./] of IN_PLACE) {
      build.onResolve({ filter }, ({ importer }) =>
        path.relative("src", importer).startsWith("..") || !wantedBy.test(importer)
          ? undefined
          : { path: path.resolve("test/simulation/walk", file) },
      );
    }
  },
};

/** Builds the extension, whole, as a program that walks; with some of the sources changed. Hands out the file. */
export async function buildWalk(changes: readonly Replacement[] = [], entry = "worker"): Promise<string> {
  return await buildPlanted(`test/simulation/walk/${entry}.ts`, changes, [played]);
}
