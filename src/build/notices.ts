import * as fs from "node:fs";
import { packagesOf, type BundledPackage } from "./packages.ts";

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
