import * as fs from "node:fs";

/** A package that is in the bundles, as its own package.json describes it. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Returns the packages among the inputs of the bundler, by name. */
export function packagesOf(inputs: readonly string[]): BundledPackage[] {
  const names = inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  return [...new Set(names)].sort().map((name) => readPackage(`node_modules/${name}`));
}

/** Returns the package whose package.json stands in a folder. */
export function readPackage(folder: string): BundledPackage {
  return JSON.parse(fs.readFileSync(`${folder}/package.json`, "utf8")) as BundledPackage;
}
