import * as fs from "node:fs";
import { billOfMaterials } from "./billOfMaterials.ts";
import { thirdPartyNotices } from "./notices.ts";

/** What the bundler tells about a file that it wrote. */
interface Output {
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The page that is the README of the package. */
const PAGE = "docs/npm.md";

/**
 * Returns the files of the npm package by name: the terminal program with everything that it loads, and what describes
 * it. `outputs`: the files that the bundler wrote, by their path, which begins with `outdir`.
 */
export function npmPackageFiles(outputs: Readonly<Record<string, Output>>, outdir: string): Record<string, string> {
  const loaded = new Set([`${outdir}/cli.js`]);
  for (const file of loaded)
    for (const { path: needed, external } of outputs[file]?.imports ?? []) if (external !== true) loaded.add(needed);
  const inputs = [...loaded].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  return {
    "package.json": manifest(),
    "README.md": readme(),
    LICENSE: fs.readFileSync("LICENSE", "utf8"),
    "dist/THIRD-PARTY-NOTICES.txt": thirdPartyNotices(inputs),
    "dist/sbom.cdx.json": billOfMaterials(inputs),
    ...Object.fromEntries(
      [...loaded].map((file) => [`dist${file.slice(outdir.length)}`, fs.readFileSync(file, "utf8")]),
    ),
  };
}

/** What the two products share of the extension's manifest. */
const SHARED = ["name", "version", "license", "keywords"] as const;

interface Manifest extends Readonly<Record<(typeof SHARED)[number], unknown>> {
  readonly engines: { readonly node: string };
}

function extensionManifest(): Manifest {
  return JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
}

/** Returns the package.json of the package. It has no dependencies, and nothing runs when it is installed. */
function manifest(): string {
  const own = extensionManifest();
  const [, , description] = fs.readFileSync(PAGE, "utf8").split("\n");
  const shared = Object.fromEntries(SHARED.map((key) => [key, own[key]]));
  const made = { ...shared, description, engines: { node: own.engines.node }, bin: { "trading-rpc": "dist/cli.js" } };
  return `${JSON.stringify(made, undefined, 2)}\n`;
}

/** Returns the page without its links to other pages, because the package has no other pages. Their words stay. */
function readme(): string {
  return fs.readFileSync(PAGE, "utf8").replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, "$1");
}
