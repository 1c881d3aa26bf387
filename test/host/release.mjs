// @ts-check
/**
 * `npm run release`: says whether what is checked out can be released, also whether the pictures of the README and the
 * docs still show the product, and packs both products. `npm run release -- --publish` also uploads the extension to the Visual Studio Marketplace and to Open VSX, with the tokens in VSCE_PAT
 * and OVSX_PAT. The npm package is only packed: `npm publish trading-rpc.tgz` is run by hand, with `--tag next` for a
 * pre-release.
 *
 * Versions are three numbers. The marketplace takes no suffix, so the minor one tells the channel: odd for
 * pre-releases, even for releases
 * (https://code.visualstudio.com/api/working-with-extensions/publishing-extension#prerelease-extensions).
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root, run } from "./process.mjs";
import { comparePictures } from "./screenshots.mjs";
import { packTarball, tarball } from "./tarball.mjs";
import { makePackage, pack } from "./vsix.mjs";

/**
 * @typedef {object} Release
 * @property {string} version of the manifest
 * @property {string} changelog
 * @property {readonly string[]} tags all of the repository
 * @property {readonly string[]} tagsHere those of what is checked out
 * @property {readonly string[]} changes files that differ from what is checked out
 * @property {readonly string[]} pictures where the pictures differ from the product, one sentence each
 */

/**
 * @param {Release} release
 * @returns {{ channel: "release" | "pre-release", problems: string[] }} `problems`: why it must not be published, empty
 * where it may
 */
export function planRelease({ version, changelog, tags, tagsHere, changes, pictures }) {
  const problems = [];
  const numbers = numbersOf(version);
  if (numbers === undefined) problems.push(`The version ${version} is not three numbers.`);
  const channel = (numbers?.[1] ?? 0) % 2 === 1 ? "pre-release" : "release";
  const section = sectionOf(changelog, version);
  if (section === undefined) problems.push(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".`);
  else if (section === "") problems.push(`The section of ${version} in CHANGELOG.md is empty.`);
  if (sectionOf(changelog, "Unreleased"))
    problems.push("CHANGELOG.md still has lines under [Unreleased]: they belong to this version, or wait on a branch.");
  if (changes.length > 0) problems.push(`Not everything is committed: ${changes.join(", ")}.`);
  if (!tagsHere.includes(`v${version}`)) problems.push(`What is checked out has no tag v${version}.`);
  const later = tags.filter((tag) => tag !== `v${version}` && isLater(numbersOf(tag.replace(/^v/, "")), numbers));
  if (later.length > 0) problems.push(`There is a later version already: ${later.join(", ")}.`);
  problems.push(...pictures);
  return { channel, problems };
}

/** @param {string} version @returns {readonly number[] | undefined} */
const numbersOf = (version) => (/^\d+\.\d+\.\d+$/.test(version) ? version.split(".").map(Number) : undefined);

/** @param {readonly number[] | undefined} one @param {readonly number[] | undefined} other */
function isLater(one, other) {
  if (one === undefined || other === undefined) return false;
  const index = one.findIndex((number, at) => number !== other[at]);
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0);
}

/** @param {string} changelog @param {string} name @returns {string | undefined} what stands below its heading */
function sectionOf(changelog, name) {
  const lines = changelog.split("\n");
  const heading =
    name === "Unreleased"
      ? /^## \[Unreleased\]/
      : new RegExp(`^## \\[${name.replaceAll(".", "\\.")}\\] - \\d{4}-\\d{2}-\\d{2}$`);
  const first = lines.findIndex((line) => heading.test(line));
  if (first < 0) return undefined;
  const length = lines.slice(first + 1).findIndex((line) => line.startsWith("## "));
  return lines
    .slice(first + 1, length < 0 ? undefined : first + 1 + length)
    .join("\n")
    .trim();
}

/** @param {readonly string[]} args @returns {Promise<string[]>} the lines of its response */
async function git(...args) {
  const { code, output } = await run("git", args, { cwd: root });
  if (code !== 0) throw new Error(`git ${args.join(" ")} failed.\n${output.trimEnd()}`);
  return output.split("\n").filter((line) => line !== "");
}

/**
 * The tools of the two marketplaces, by exact version: they want a newer Node than development does, and serve here
 * alone.
 */
const PUBLISHERS = /** @type {const} */ ([
  { place: "Visual Studio Marketplace", token: "VSCE_PAT", tool: ["@vscode/vsce@4.1.0", "publish", "--packagePath"] },
  { place: "Open VSX", token: "OVSX_PAT", tool: ["ovsx@1.3.0", "publish"] },
]);

/** @param {readonly string[]} args */
async function main(args) {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const changes = (await git("status", "--porcelain")).map((line) => line.slice(3));
  const file = await makePackage();
  const { channel, problems } = planRelease({
    version,
    changelog: fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8"),
    tags: await git("tag", "--list", "v*"),
    tagsHere: await git("tag", "--points-at", "HEAD"),
    changes,
    pictures: await comparePictures(file),
  });
  if (channel === "pre-release") await pack(file, { isPreRelease: true });
  await packTarball(tarball);
  for (const product of [file, tarball]) {
    const bytes = fs.readFileSync(product);
    console.log(
      `${path.basename(product)}: version ${version}, ${channel}, ${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}`,
    );
  }
  for (const problem of problems) console.error(`Not to be published: ${problem}`);
  if (!args.includes("--publish")) return 0;
  const missing = PUBLISHERS.filter(({ token }) => !process.env[token]).map(
    ({ token, place }) => `${token} (${place})`,
  );
  if (missing.length > 0) console.error(`Not to be published: no token in ${missing.join(" and ")}.`);
  if (problems.length > 0 || missing.length > 0) return 1;
  for (const { place, tool } of PUBLISHERS) {
    // Both tools find their token in the environment: an argument could be read by every program of the computer.
    const { code, output } = await run("npx", ["--yes", ...tool, file], { cwd: root });
    console.log(output.trimEnd());
    if (code !== 0)
      throw new Error(
        `${place} did not take it. What is published stays published: mend the cause and run this again.`,
      );
    console.log(`Published at ${place}.`);
  }
  return 0;
}

// `npm run release` runs this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
