import * as fs from "node:fs";

/** What the bundler tells about a file that it wrote. */
interface Output {
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The page that is the README of the package. */
const PAGE = "docs/npm.md";

/** What is published as the types of the library: it imports nothing. */
const LIBRARY_TYPES = "src/simulator/library/library.ts";

/** The programs of the package; all else in it is loaded by one of them. */
const PROGRAMS = ["cli.js", "library.js"];

/**
 * Returns the files of the npm package by name: the terminal program with everything that it loads, and what describes
 * it. `outputs`: the files that the bundler wrote, by their path, which begins with `outdir`.
 */
export function npmPackageFiles(outputs: Readonly<Record<string, Output>>, outdir: string): Record<string, string> {
  const loaded = new Set(PROGRAMS.map((name) => `${outdir}/${name}`));
  for (const file of loaded)
    for (const { path: needed, external } of outputs[file]?.imports ?? []) if (external !== true) loaded.add(needed);
  const inputs = [...loaded].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  return {
    "package.json": manifest(),
    "README.md": readme(),
    LICENSE: fs.readFileSync("LICENSE", "utf8"),
    "dist/THIRD-PARTY-NOTICES.txt": thirdPartyNotices(inputs),
    "dist/sbom.cdx.json": billOfMaterials(inputs),
    "dist/library.mjs": ES_MODULE,
    "dist/library.d.ts": libraryTypes(),
    ...Object.fromEntries(
      [...loaded].map((file) => [`dist${file.slice(outdir.length)}`, fs.readFileSync(file, "utf8")]),
    ),
  };
}

/** The library for `import`: one instance, which `require` gets too. */
const ES_MODULE = `import library from "./library.js";

export const { startSimulator } = library;
`;

/** Returns the types of the library, with the one value that it exports. */
function libraryTypes(): string {
  return `${fs.readFileSync(LIBRARY_TYPES, "utf8")}
export declare const startSimulator: StartSimulator;
`;
}

/** What a program imports from the package. */
const EXPORTS = {
  ".": { types: "./dist/library.d.ts", import: "./dist/library.mjs", require: "./dist/library.js" },
  "./package.json": "./package.json",
};

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
  const made = {
    ...{ ...shared, description, engines: { node: own.engines.node }, bin: { "trading-rpc": "dist/cli.js" } },
    ...{ main: "dist/library.js", types: "dist/library.d.ts", exports: EXPORTS },
  };
  return `${JSON.stringify(made, undefined, 2)}\n`;
}

/** Returns the page without its links to other pages, because the package has no other pages. Their words stay. */
function readme(): string {
  return fs.readFileSync(PAGE, "utf8").replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]*\)/g, "$1");
}

/**
 * Returns the contents of the bundles, for programs that look for packages with known errors: CycloneDX 1.6
 * (https://cyclonedx.org/docs/1.6/json). It has no date or number of its own, so the same sources give the same file.
 */
export function billOfMaterials(inputs: readonly string[]): string {
  const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const components = packagesOf(inputs).map((each) => {
    const [, sum = ""] = /^sha512-(.+)$/.exec(lock.packages[`node_modules/${each.name}`]?.integrity ?? "") ?? [];
    const hashes = [{ alg: "SHA-512", content: Buffer.from(sum, "base64").toString("hex") }];
    return { type: "library", ...componentOf(each), scope: "required", hashes };
  });
  const own = componentOf(readPackage("."));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", ...own } },
    components,
    dependencies: [
      { ref: own["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) },
      ...components.map((each) => ({ ref: each["bom-ref"] })),
    ],
  };
  return `${JSON.stringify(bill, undefined, 1)}\n`;
}

function componentOf({ name, version, license }: BundledPackage) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [group, own = group] = name.split("/");
  return {
    "bom-ref": purl,
    ...(own === group ? {} : { group }),
    name: own,
    version,
    licenses: [{ license: { id: license } }],
    purl,
  };
}

/** Returns the name, version and license of every package in the bundles, for the users of the extension. */
export function thirdPartyNotices(inputs: readonly string[]): string {
  const notices = packagesOf(inputs).map(
    (each) => `${each.name} ${each.version} (${each.license})\n\n${licenceOf(each).trim()}\n`,
  );
  return [`Trading RPC contains the following packages.\n`, ...notices].join(`\n${"-".repeat(80)}\n\n`);
}

/** The holders of packages under the MIT license that name their holder but lack the text. */
const HOLDERS: Readonly<Record<string, string>> = { "@vscode/l10n": "Microsoft Corporation" };

function licenceOf({ name, license }: BundledPackage): string {
  const folder = `node_modules/${name}`;
  const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file !== undefined) return fs.readFileSync(`${folder}/${file}`, "utf8");
  const holder = HOLDERS[name];
  if (license !== "MIT" || holder === undefined)
    throw new Error(`${name} has no licence file: its notice has to be written by hand.`);
  return fs.readFileSync("LICENSE", "utf8").replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}

/** A package that is in the bundles, as its own package.json describes it. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Returns the packages among the inputs of the bundler, by name. */
function packagesOf(inputs: readonly string[]): BundledPackage[] {
  const names = inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  return [...new Set(names)].sort().map((name) => readPackage(`node_modules/${name}`));
}

/** Returns the package whose package.json stands in a folder. */
function readPackage(folder: string): BundledPackage {
  return JSON.parse(fs.readFileSync(`${folder}/package.json`, "utf8")) as BundledPackage;
}
