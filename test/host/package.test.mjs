// @ts-check
/** What is in the packaged extension: everything it needs, nothing else. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { root } from "./process.mjs";
import { vsixUnderTest } from "./vsix.mjs";
import { readZip } from "./zip.mjs";

const file = await vsixUnderTest();
const entries = readZip(file);
const names = entries.map(({ name }) => name).sort();
/** @type {{ main: string, icon?: string, version: string }} */
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} kB`;
// The runner shows lines that begin so.
console.log(`note: ${path.basename(file)} ${kilobytes(fs.statSync(file).size)}, ${names.length} files`);
for (const { name, size, packed } of entries) console.log(`note: ${kilobytes(packed).padStart(10)} of ${kilobytes(size).padStart(10)}  ${name}`);

/** The packager renames some files on the way. */
const needed = [
  "package.json",
  "package.nls.json",
  "readme.md",
  "changelog.md",
  "LICENSE.txt",
  "dist/THIRD-PARTY-NOTICES.txt",
  manifest.main.replace("./", ""),
  ...(manifest.icon ? [manifest.icon] : []),
];

/** Whatever else is in it comes from here. */
const allowed = [/^dist\/[\w.-]+\.js$/, /^dist\/panel\.css$/, /^media\/[\w./-]+\.(svg|png|json|css|js)$/, /^l10n\/bundle\.l10n(\.[\w-]+)?\.json$/, /^package\.nls(\.[\w-]+)?\.json$/, /^examples\//];

/** @param {string} name the whole name in the archive, or the extension's own */
function read(name) {
  const entry = entries.find((each) => each.name === name || each.name === `extension/${name}`);
  assert.ok(entry, `${name} is missing`);
  return entry.read().toString("utf8");
}

describe("package", () => {
  for (const name of needed) {
    test(`holds ${name}`, () => assert.ok(names.includes(`extension/${name}`)));
  }

  for (const folder of ["media", "l10n", "examples"]) {
    test(`holds files of ${folder}/, all of them`, () => {
      const wanted = filesBelow(folder);
      assert.notDeepEqual(wanted, []);
      assert.deepEqual(names.filter((name) => name.startsWith(`extension/${folder}/`)), wanted.map((name) => `extension/${name}`));
    });
  }

  test("holds nothing else", () => {
    const own = names.filter((name) => name.startsWith("extension/")).map((name) => name.slice("extension/".length));
    assert.deepEqual(own.filter((name) => !needed.includes(name) && !allowed.some((pattern) => pattern.test(name))), []);
    assert.deepEqual(names.filter((name) => !name.startsWith("extension/")), ["[Content_Types].xml", "extension.vsixmanifest"]);
  });

  test("every file that the manifest names is in it", () => {
    const text = read("package.json");
    const named = [...text.matchAll(/"\.?\/?((?:dist|media|l10n|examples)\/[\w./-]+\.\w+)"/g)].map((match) => match[1]);
    assert.deepEqual(named.filter((name) => !names.includes(`extension/${name}`)), []);
  });

  test("the programs in it are minified, without source maps, and name no path of the machine that built them", () => {
    for (const name of names.filter((each) => each.endsWith(".js"))) {
      const text = read(name);
      assert.doesNotMatch(text, /\/\/# sourceMappingURL=/, name);
      assert.ok(!text.includes(root), `${name} names ${root}`);
    }
  });

  test("every file that its programs load is in it", () => {
    const programs = names.filter((name) => name.endsWith(".js"));
    const loaded = programs.flatMap((name) => [...read(name).matchAll(/require\(["'`]\.\/([\w./-]+)["'`]\)/g)].map((match) => path.posix.join(path.posix.dirname(name), match[1] ?? "")));
    assert.deepEqual(loaded.filter((name) => !names.includes(name)), []);
  });

  test("it has the version of the manifest", () => {
    assert.equal(JSON.parse(read("package.json")).version, manifest.version);
    assert.match(read("extension.vsixmanifest"), new RegExp(`Version="${manifest.version.replaceAll(".", "\\.")}"`));
  });
});

/** @param {string} folder */
function filesBelow(folder) {
  const dir = path.join(root, folder);
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}
