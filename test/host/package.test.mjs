// @ts-check
/** What is in the packaged extension: everything it needs, nothing else. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { EXTENSION, foreignFiles, looseParts, neededFiles } from "../products.mjs";
import { root, runNode } from "./process.mjs";
import { copyProject } from "./reproducible.mjs";
import { packTarball, tarballUnderTest } from "./tarball.mjs";
import { pack, vsixUnderTest, withoutFileLinks } from "./vsix.mjs";
import { readZip } from "./zip.mjs";

const file = await vsixUnderTest();
const entries = readZip(file);
const names = entries.map(({ name }) => name).sort();
/** @type {{ version: string }} */
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} kB`;
// The runner shows lines that begin so.
console.log(`note: ${path.basename(file)} ${kilobytes(fs.statSync(file).size)}, ${names.length} files`);
for (const { name, size, packed } of entries)
  console.log(`note: ${kilobytes(packed).padStart(10)} of ${kilobytes(size).padStart(10)}  ${name}`);

/** @param {string} name the whole name in the archive, or the extension's own */
function read(name) {
  const entry = entries.find((each) => each.name === name || each.name === `extension/${name}`);
  assert.ok(entry, `${name} is missing`);
  return entry.read().toString("utf8");
}

/** An exact version, also that of a package under another name. */
const EXACT = /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/;

describe("package", () => {
  for (const name of neededFiles(EXTENSION)) {
    test(`holds ${name}`, () => assert.ok(names.includes(`extension/${name}`)));
  }

  test("holds whatever its programs load, and no chunk beside", () => {
    const programs = names.filter((name) => /^extension\/dist\/[^/]+\.js$/.test(name));
    const texts = Object.fromEntries(programs.map((name) => [name.slice("extension/".length), read(name)]));
    assert.deepEqual(looseParts(texts), []);
    const [chunk = ""] = Object.keys(texts).filter((name) => name.includes("/chunk-"));
    const { [chunk]: text = "", ...others } = texts;
    assert.deepEqual(looseParts({ ...others, "dist/chunk-LONE.js": text }), [chunk, "dist/chunk-LONE.js"]);
  });

  for (const folder of ["media", "l10n", "examples"]) {
    test(`holds files of ${folder}/, all of them`, () => {
      const wanted = filesBelow(folder);
      assert.notDeepEqual(wanted, []);
      const found = names.filter((name) => name.startsWith(`extension/${folder}/`));
      assert.deepEqual(
        found,
        wanted.map((name) => `extension/${name}`),
      );
    });
  }

  test("holds nothing else", () => {
    const own = names.filter((name) => name.startsWith("extension/")).map((name) => name.slice("extension/".length));
    assert.deepEqual(foreignFiles(EXTENSION, own), []);
    assert.deepEqual(
      names.filter((name) => !name.startsWith("extension/")),
      ["[Content_Types].xml", "extension.vsixmanifest"],
    );
  });

  test("every file that the manifest names is in it", () => {
    const text = read("package.json");
    const named = [...text.matchAll(/"\.?\/?((?:dist|media|l10n|examples)\/[\w./-]+\.\w+)"/g)].map((match) => match[1]);
    const found = named.filter((name) => !names.includes(`extension/${name}`));
    assert.deepEqual(found, []);
  });

  test("the programs in it are minified, without source maps, and name no path of the machine that built them", () => {
    for (const name of names.filter((each) => each.endsWith(".js"))) {
      const text = read(name);
      assert.doesNotMatch(text, /\/\/# sourceMappingURL=/, name);
      assert.ok(!text.includes(root), `${name} names ${root}`);
    }
  });

  test("it has the version of the manifest", () => {
    assert.equal(JSON.parse(read("package.json")).version, manifest.version);
    assert.match(read("extension.vsixmanifest"), new RegExp(`Version="${manifest.version.replaceAll(".", "\\.")}"`));
  });

  test("it is a release by its version, and not marked as a pre-release", () => {
    assert.doesNotMatch(read("extension.vsixmanifest"), /PreRelease/);
    assert.equal(Number(manifest.version.split(".")[1]) % 2, 0);
  });
});

describe("the program of the terminal profile", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "profile-"));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  /** @param {NodeJS.ProcessEnv} env @param {readonly string[]} words */
  const run = (env, ...words) =>
    spawnSync("trading-rpc", words, {
      cwd: folder,
      env: { ...env, PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    });
  beforeAll(() => {
    for (const { name, mode, read: open } of entries) {
      const [, own] = /^extension\/((?:bin|dist|l10n)\/.*|package\.json)$/.exec(name) ?? [];
      if (own === undefined) continue;
      fs.mkdirSync(path.dirname(path.join(folder, own)), { recursive: true });
      // VS Code unpacks a file with the mode that it has in the archive.
      fs.writeFileSync(path.join(folder, own), open(), { mode: mode & 0o777 });
    }
  });

  test("the program of the terminal profile runs in the Node that the terminal names", () => {
    const { stdout, stderr, status } = run({ TRADING_RPC_VSCODE_NODE: process.execPath }, "--version");
    assert.deepEqual([stdout, stderr, status], [`${manifest.version}\n`, "", 0]);
    // What is first on the path is not what runs it.
    fs.writeFileSync(path.join(folder, "bin", "node"), "#!/bin/sh\necho another one\n", { mode: 0o755 });
    assert.equal(run({ TRADING_RPC_VSCODE_NODE: process.execPath }, "--version").stdout, `${manifest.version}\n`);
  });

  test("words go on as they are, and so does the exit code", () => {
    const { stderr, status } = run({ TRADING_RPC_VSCODE_NODE: process.execPath }, "run", "a b", "--env", "$HOME");
    assert.match(stderr, /--env must be one of sim, test, prod, gateway, not "\$ ?HOME"/);
    assert.equal(status, 2);
  });

  test("elsewhere it says where it runs", () => {
    const { stderr, status } = run({}, "--version");
    assert.match(stderr, /Open a terminal with the profile Trading RPC in VS Code\./);
    assert.notEqual(status, 0);
  });
});

describe("the README", () => {
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  /** Larger pictures load too slowly for a page. */
  const MOST_BYTES = { ".png": 150_000, ".gif": 1_500_000 };

  test("its parts are in the order of a new user's questions", () => {
    assert.deepEqual(
      [...readme.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      [
        "Run it",
        "Install",
        "Quick start",
        "A request file",
        "Features",
        "Safety and privacy",
        "Settings",
        "FAQ",
        "Support",
        "Contributing",
        "License",
      ],
    );
    assert.match(readme, /It is unofficial and not affiliated with/);
  });

  test("its pictures are there, small, with words for those who do not see them and with the text in them, and none is left over (npm run screenshots)", () => {
    const pages = ["README.md", ...filesBelow("docs")];
    const pictures = pages.flatMap((page) =>
      [...fs.readFileSync(path.join(root, page), "utf8").matchAll(/!\[([^\]]*)\]\((?!https:)([^)]+)\)/g)].map(
        ([, words = "", target = ""]) => ({ words, target: path.posix.join(path.posix.dirname(page), target) }),
      ),
    );
    for (const { words, target } of pictures) {
      assert.match(target, /^\.github\/pictures\/\w+\.(png|gif)$/);
      assert.match(words, /^[A-Z].{30,}\.$/, target);
      const limit = MOST_BYTES[/** @type {keyof typeof MOST_BYTES} */ (path.extname(target))];
      assert.ok(fs.statSync(path.join(root, target)).size <= limit, `${target} is larger than ${limit} bytes`);
    }
    const shown = [...new Set(pictures.map(({ target }) => target))];
    const texts = shown.map((target) => target.replace(/\.\w+$/, ".txt"));
    assert.deepEqual([...shown, ...texts].sort(), filesBelow(".github/pictures"));
  });

  test("in the package, no page has a picture or a link that leads nowhere in VS Code", () => {
    assert.equal(
      withoutFileLinks("![A.](a.png)\n\nSee [b](b.md#c) and [d](https://d.example).\n\n[More →](e.md)\n\nEnd.\n"),
      "See b and [d](https://d.example).\n\nEnd.\n",
    );
    for (const page of ["readme.md", "changelog.md", "docs/problems.md"])
      assert.deepEqual(
        [...read(page).matchAll(/\]\((?!https:)[^)]+\)|!\[/g)].map(([found]) => found),
        [],
        page,
      );
    assert.match(read("readme.md"), /^## Features$/m);
  });
});

describe("where it comes from", () => {
  /**
   * @type {{ packages: Record<string, { integrity?: string, resolved?: string, hasInstallScript?: boolean, link?:
   * boolean }> }}
   */
  const lock = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  /** @type {{ dependencies?: object, devDependencies: Record<string, string> }} */
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const shipped = [...read("dist/THIRD-PARTY-NOTICES.txt").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d[\w.-]* \(/gm)].map(
    (match) => match[1] ?? "",
  );

  test("every package is named with its exact version, and nothing is installed with the extension", () => {
    assert.equal(dependencies, undefined);
    const found = Object.entries(devDependencies).filter(([, version]) => !EXACT.test(version));
    assert.deepEqual(found, []);
  });

  for (const folder of [".", "test/host", "test/clients", "test/bench", "test/openrpc", "test/mutation"]) {
    /** @param {string} name */
    const readJson = (name) => JSON.parse(fs.readFileSync(path.join(root, folder, name), "utf8"));

    test(`${path.posix.join(folder, "package.json")}: versions are exact, and the lock file has the sum of every package, and none from elsewhere than the registry`, () => {
      const { dependencies: own = {}, devDependencies: others = {} } = readJson("package.json");
      assert.deepEqual(
        Object.entries({ ...own, ...others }).filter(([, version]) => !EXACT.test(String(version))),
        [],
      );
      const { packages } = /** @type {typeof lock} */ (readJson("package-lock.json"));
      const entries = Object.entries(packages).filter(([name]) => name !== "");
      assert.ok(entries.length > 5);
      assert.deepEqual(
        entries
          .filter(
            ([, { integrity, resolved, link }]) =>
              !/^sha512-/.test(integrity ?? "") || resolved !== undefined || link === true,
          )
          .map(([name]) => name),
        [],
      );
    });
  }

  test("no package that ships runs a script when it is installed, and only these ship", () => {
    assert.deepEqual(shipped.toSorted(), ["@vscode/l10n", "jsonc-parser", "uplot", "ws"]);
    const found = shipped.filter((name) => lock.packages[`node_modules/${name}`]?.hasInstallScript === true);
    assert.deepEqual(found, []);
  });

  test("it is built without a server of its own, by a version without the known holes of one", () => {
    assert.doesNotMatch(fs.readFileSync(path.join(root, "esbuild.js"), "utf8"), /\.serve\(/);
    const [major = 0, minor = 0, patch = 0] = (devDependencies["esbuild"] ?? "").split(".").map(Number);
    assert.ok(major > 0 || minor > 28 || (minor === 28 && patch >= 1));
  });

  test("no workflow hands secrets to changes of a fork, or runs what is not pinned", () => {
    const sound = `on: pull_request\npermissions:\n  contents: read\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@${"0".repeat(40)} # v1\n`;
    assert.deepEqual(looseEndsOf(sound), []);
    for (const loose of [
      sound.replace("pull_request", "pull_request_target"),
      sound.replace("pull_request", "workflow_run"),
      sound.replace("permissions:\n  contents: read\n", ""),
      sound.replace("contents: read", "contents: write"),
      `${sound}    permissions:\n      id-token: write\n`,
      sound.replace(/@0+/, "@v4"),
      `${sound}      - run: echo \${{ secrets.VSCE_PAT }}\n`,
      `${sound}      - run: echo \${{ github.event.pull_request.title }}\n`,
      `${sound}      - run: echo \${{ github.head_ref }}\n`,
    ]) {
      assert.notDeepEqual(looseEndsOf(loose), [], loose);
    }
    const folder = path.join(root, ".github", "workflows");
    const workflows = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    assert.deepEqual(
      workflows.flatMap((name) =>
        looseEndsOf(fs.readFileSync(path.join(folder, name), "utf8")).map((end) => `${name}: ${end}`),
      ),
      [],
    );
  });

  test("no key, no token and no file of an environment is in it", () => {
    const found = names.filter((name) => /(^|\/)\.env|\.map$|\.pem$|\.key$|rpc\.env\.local/.test(name));
    assert.deepEqual(found, []);
    for (const { name, read: open } of entries)
      assert.doesNotMatch(
        open().toString("latin1"),
        /BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\s)*[A-Za-z0-9+/]{32}|\bcanary-|\b(?:ghp|github_pat|vsce?)_[A-Za-z0-9]{20}/,
        name,
      );
  });
});

describe("the bill of materials", () => {
  /**
   * @type {{ bomFormat: string, specVersion: string, metadata: { component: { name: string, version: string } },
   * components: { group?: string, name: string, version: string, purl: string, licenses: { license: { id: string } }[],
   * hashes: { alg: string, content: string }[] }[] }}
   */
  const bill = JSON.parse(read("dist/sbom.cdx.json"));
  const fullName = (/** @type {{ group?: string, name: string }} */ { group, name: own }) =>
    group === undefined ? own : `${group}/${own}`;

  test("names what the notices name: every package with its version and licence, and nothing else", () => {
    const noticed = [
      ...read("dist/THIRD-PARTY-NOTICES.txt").matchAll(/^((?:@[\w.-]+\/)?[\w.-]+ \d[\w.-]* \([\w.-]+\))$/gm),
    ].map(([, line]) => line);
    assert.ok(noticed.length > 2);
    assert.deepEqual(
      bill.components.map(
        (each) => `${fullName(each)} ${each.version} (${each.licenses.map(({ license }) => license.id).join(" ")})`,
      ),
      noticed,
    );
    assert.deepEqual(
      [bill.bomFormat, bill.specVersion, bill.metadata.component.name, bill.metadata.component.version],
      ["CycloneDX", "1.6", "trading-rpc", manifest.version],
    );
  });

  test("each is found in the registry by its address, and is what the lock file says by its sum", () => {
    const { packages } = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
    for (const each of bill.components) {
      const name = fullName(each);
      assert.equal(each.purl, `pkg:npm/${name.replace("@", "%40")}@${each.version}`);
      const { version, integrity } = packages[`node_modules/${name}`];
      assert.deepEqual(
        [version, integrity],
        [each.version, `sha512-${Buffer.from(each.hashes[0]?.content ?? "", "hex").toString("base64")}`],
      );
    }
  });
});

describe("how it is made", () => {
  let project = "";
  beforeAll(() => {
    project = copyProject();
  });

  test("the same sources in another folder make the same archive, byte for byte", async () => {
    await runNode(["esbuild.js", "--production"], { cwd: project });
    const again = path.join(project, "again.vsix");
    await pack(again, { project });
    const sums = (/** @type {ReturnType<typeof readZip>} */ all) =>
      Object.fromEntries(all.map(({ name, read: open }) => [name, createHash("sha256").update(open()).digest("hex")]));
    assert.deepEqual(sums(readZip(again)), sums(entries));
    assert.ok(
      fs.readFileSync(again).equals(fs.readFileSync(file)),
      "the files are the same, their order, dates or modes are not",
    );
    const npmAgain = path.join(project, "again.tgz");
    await packTarball(npmAgain, project);
    assert.ok(fs.readFileSync(npmAgain).equals(fs.readFileSync(await tarballUnderTest())), "the npm package");
  });

  test("the packager looks for secrets, and refuses to pack one", async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEow".repeat(20)}\n-----END RSA PRIVATE KEY-----\n`;
    fs.writeFileSync(path.join(project, "examples", "notes.txt"), key);
    const packing = pack(path.join(project, "secret.vsix"), { project });
    await assert.rejects(packing, /private key/i);
    assert.ok(!fs.existsSync(path.join(project, "secret.vsix")));
  });
});

/**
 * What makes a workflow dangerous: it runs with rights for the changes of a stranger, may write or sign in elsewhere,
 * uses what can be exchanged under its name, or puts a stranger's text into a shell.
 * @param {string} text of its file
 * @returns {string[]}
 */
function looseEndsOf(text) {
  const ends = Object.entries({
    "runs for a fork with the rights of the project": /pull_request_target|workflow_run/,
    "may write": /:\s*write(?:-all)?\s*(?:#.*)?$/m,
    "reads a secret": /\bsecrets\./,
    "uses what is not pinned by its hash": /uses:\s*(?!\.\/)\S+?(?<!@[0-9a-f]{40})\s*(?:#.*)?$/m,
    "puts a text from outside into a shell": /\$\{\{\s*github\.(?:event\.|head_ref)/,
  }).flatMap(([end, pattern]) => (pattern.test(text) ? [end] : []));
  return /^permissions:\n {2}contents: read\n(?! )/m.test(text) ? ends : [...ends, "has more rights than to read"];
}

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
