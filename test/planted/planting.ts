import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as esbuild from "esbuild";

/* Programs built from sources that differ from those on the disk: what a bug that is planted on purpose needs. */

/** A text that stands once in a file, and what takes its place. */
export interface Replacement {
  /** From the project's folder. */
  readonly file: string;
  readonly search: string;
  readonly replacement: string;
}

/**
 * Those that cannot be planted any more, each with the reason: their text does not stand once in its file, or nothing
 * replaces it.
 */
export function unplantable(
  changes: readonly Replacement[],
  read = (file: string): string => fs.readFileSync(file, "utf8"),
): readonly string[] {
  return changes.flatMap(({ file, search, replacement }) => {
    const times = read(file).split(search).length - 1;
    if (times === 1 && search !== replacement) return [];
    return [
      times === 1
        ? `${file}: what takes its place is the same: ${search}`
        : `${file}: stands ${times} times: ${search}`,
    ];
  });
}

/** A file's text with the changes that are about it. */
export function changedText(file: string, text: string, changes: readonly Replacement[]): string {
  return changes
    .filter((each) => path.resolve(each.file) === path.resolve(file))
    .reduce((changed, { search, replacement }) => changed.replace(search, () => replacement), text);
}

/**
 * Builds a program with some of the sources changed; hands out its file, in a folder of its own. Throws where a text is
 * not found once.
 */
export async function buildPlanted(
  entry: string,
  changes: readonly Replacement[] = [],
  plugins: readonly esbuild.Plugin[] = [],
): Promise<string> {
  const problems = unplantable(changes);
  if (problems.length > 0)
    throw new Error(`These texts do not stand once in the sources any more:\n${problems.join("\n")}`);
  const outfile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "planted-")), "program.cjs");
  await esbuild.build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    mainFields: ["module", "main"],
    external: ["vscode", "typescript", "esbuild", "mocha"],
    logLevel: "warning",
    plugins: [
      ...plugins,
      {
        name: "planted",
        setup(build) {
          build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
            if (!changes.some((each) => path.resolve(each.file) === file)) return undefined;
            return { contents: changedText(file, await fs.promises.readFile(file, "utf8"), changes), loader: "ts" };
          });
        },
      },
    ],
  });
  return outfile;
}
