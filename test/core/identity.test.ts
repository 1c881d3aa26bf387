import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";

/*
 * What users of the editor expect of an extension as a whole: its name, when it wakes, what it claims, its settings and
 * files, and how it is told about.
 */

interface Setting {
  readonly type: string;
  readonly default?: unknown;
  readonly scope: string;
  readonly order: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly markdownDescription: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly publisher: string;
  readonly license: string;
  readonly icon: string;
  readonly pricing: string;
  readonly qna?: unknown;
  readonly homepage?: unknown;
  readonly bugs?: unknown;
  readonly repository?: unknown;
  readonly galleryBanner: { readonly color: string; readonly theme: string };
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly enabledApiProposals?: unknown;
  readonly activationEvents: readonly string[];
  readonly main: string;
  readonly browser?: string;
  readonly extensionKind: readonly string[];
  readonly l10n: string;
  readonly badges?: readonly unknown[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly description: string };
    readonly virtualWorkspaces: unknown;
  };
  readonly contributes: {
    readonly configuration: readonly {
      readonly title: string;
      readonly order: number;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly languages: readonly {
      readonly id: string;
      readonly filenamePatterns?: readonly string[];
      readonly filenames?: readonly string[];
    }[];
    readonly jsonValidation: readonly { readonly fileMatch: string | readonly string[]; readonly url: string }[];
    readonly resourceLabelFormatters: readonly { readonly scheme: string }[];
    readonly languageModelTools?: readonly unknown[];
  };
}

const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
const texts = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Readonly<Record<string, string>>;
const textOf = (text: string): string => texts[text.replaceAll("%", "")] ?? text;
const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

describe("who it is", () => {
  test("names say the purpose and contain no trademark, and the description says unofficial", () => {
    assert.match(manifest.name, /^[a-z][a-z-]+$/);
    assert.match(textOf(manifest.displayName), /JSON-RPC/);
    for (const text of [manifest.name, textOf(manifest.displayName), manifest.publisher])
      assert.doesNotMatch(text, /deribit/i);
    const description = textOf(manifest.description);
    for (const word of ["JSON-RPC", "derivatives", "orders", "Unofficial"]) assert.match(description, new RegExp(word));
    assert.ok(description.length <= 260);
  });

  test("five keywords that people search for, and allowed categories", () => {
    assert.ok(manifest.keywords.length <= 5 && manifest.keywords[0] === "json-rpc");
    const found = manifest.categories.filter((each) => !["Other", "Testing", "Visualization", "AI"].includes(each));
    assert.deepEqual(found, []);
    assert.ok(!manifest.categories.includes("AI") || (manifest.contributes.languageModelTools ?? []).length > 0);
  });

  test("an icon for every screen, on a banner that suits it", () => {
    const png = fs.readFileSync(manifest.icon);
    assert.equal(png.toString("latin1", 1, 4), "PNG");
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/i);
    assert.match(manifest.galleryBanner.theme, /^(?:dark|light)$/);
  });

  test("a licence, no price, and no address of a page that does not exist yet", () => {
    assert.equal(manifest.license, "MIT");
    assert.match(fs.readFileSync("LICENSE", "utf8"), /^MIT License/);
    for (const page of [manifest.repository, manifest.bugs, manifest.homepage, manifest.qna, manifest.badges])
      assert.equal(page, undefined);
    assert.equal(manifest.pricing, "Free");
  });

  test("the oldest editor that has what is used, and nothing that is only proposed", () => {
    assert.equal(manifest.engines.vscode, "^1.101.0");
    assert.equal(manifest.enabledApiProposals, undefined);
  });
});

describe("when and where it runs", () => {
  test("it wakes for its files and responses alone; views and commands wake it by themselves", () => {
    for (const event of manifest.activationEvents)
      assert.match(event, /^(?:onLanguage:jsonc|onFileSystem:trading-rpc-[\w-]+)$/);
  });

  test("beside the person where it can be, in folders that are not trusted with limits in words, and in virtual ones", () => {
    assert.deepEqual(manifest.extensionKind, ["ui", "workspace"]);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
    assert.match(textOf(manifest.capabilities.untrustedWorkspaces.description), /not sent, until you trust the folder/);
    assert.equal(manifest.capabilities.virtualWorkspaces, true);
  });
});

describe("the settings", () => {
  test("stand in titled groups, in an order, below one name", () => {
    assert.ok(manifest.contributes.configuration.length >= 4);
    const found = manifest.contributes.configuration.map(({ order }) => order);
    assert.deepEqual(
      found,
      manifest.contributes.configuration.map((_, index) => index + 1),
    );
    for (const { properties } of manifest.contributes.configuration) {
      assert.deepEqual(
        Object.values(properties)
          .map(({ order }) => order)
          .sort(),
        Object.keys(properties).map((_, index) => index + 1),
      );
      for (const name of Object.keys(properties)) assert.match(name, /^tradingRpc\.[a-z]+\.[a-z]\w+$/i);
    }
  });

  test("each has a default, words of its own, words for each choice, and limits where it is a number", () => {
    for (const [name, setting] of settings) {
      assert.notEqual(setting.default, undefined, name);
      assert.ok(textOf(setting.markdownDescription).length > 20, name);
      if (setting.enum !== undefined)
        assert.equal(
          (setting.markdownEnumDescriptions ?? setting.enumDescriptions ?? []).length,
          setting.enum.length,
          name,
        );
      if (/integer|number/.test(setting.type))
        assert.ok(setting.minimum !== undefined && setting.maximum !== undefined, name);
    }
  });

  test("each has a scope on purpose: what touches safety, network or the disk is the user's, what is only looks may be a folder's", () => {
    for (const [name, { scope }] of settings)
      assert.ok(
        scope === "application" ||
          (["window", "resource"].includes(scope) &&
            /^tradingRpc\.(?:orders\.|requests\.(?:codeLens|openResponseToTheSide|responseTab)$|positions\.showUsd$|\w+\.(?:groupBy|sortBy|badge\w*)$)/.test(
              name,
            )),
        `${name}: ${scope}`,
      );
  });

  test("none can hold a secret", () => {
    for (const [name, setting] of settings) {
      assert.doesNotMatch(name, /secret|password|token|client_?id|credential|apiKey$/i);
      assert.ok(setting.type !== "string" || setting.enum !== undefined, `${name} takes any text`);
    }
  });
});

describe("its files", () => {
  test("request files are JSON with comments and have a schema that is bundled; so have environments", () => {
    const { languages, jsonValidation } = manifest.contributes;
    assert.deepEqual(languages.find(({ id }) => id === "jsonc")?.filenamePatterns, ["*.rpc.json"]);
    const patterns = jsonValidation.flatMap(({ fileMatch }) => fileMatch);
    for (const pattern of ["*.rpc.json", "rpc.env.json", "rpc.env.local.json"])
      assert.ok(patterns.includes(pattern), pattern);
    for (const { url } of jsonValidation) {
      assert.match(url, /^\.\/media\//);
      assert.match(fs.readFileSync(url, "utf8"), /"allowTrailingCommas": ?true/);
    }
  });

  test("the schema explains in Markdown, offers snippets, says what each choice means, and suggests no dead ids", () => {
    const schema = fs.readFileSync("media/rpc.schema.json", "utf8");
    for (const extra of [
      "markdownDescription",
      "defaultSnippets",
      "markdownEnumDescriptions",
      "patternErrorMessage",
      "doNotSuggest",
    ])
      assert.ok(schema.includes(`"${extra}"`), extra);
    assert.doesNotMatch(schema, /"default": ?"(?:ETH|BTC|BLOCK)-/);
  });

  test("responses have a scheme of their own, whose tabs say what they show", () => {
    assert.ok(manifest.contributes.resourceLabelFormatters.some(({ scheme }) => scheme === "trading-rpc-response"));
  });
});

describe("how it is told about", () => {
  test("the changelog is Keep a Changelog, for users", () => {
    const text = fs.readFileSync("CHANGELOG.md", "utf8");
    assert.match(text, /Keep a Changelog/);
    assert.match(text, /^### Added$/m);
    assert.doesNotMatch(text, /^- (?:chore|deps|ci|refactor)\b/m);
  });

  test("the README has its parts in the order in which they are read", () => {
    const text = fs.readFileSync("README.md", "utf8");
    const headings = [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? "");
    const places = [
      /^Run it$/,
      /^Install$/,
      /^Quick start$/,
      /^A request file$/,
      /^Features$/,
      /^Safety and privacy$/,
      /^Settings$/,
      /^FAQ$/,
      /^License$/,
    ].map((wanted) => headings.findIndex((heading) => wanted.test(heading)));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? -1)),
      `${headings.join(" | ")}: ${places.join(", ")}`,
    );
    assert.match(text, /unofficial/i);
    assert.doesNotMatch(text, /!\[[^\]]*\]\([^)]+\.svg/);
    assert.doesNotMatch(text, /!\[[^\]]*\]\(https?:/);
  });

  test("whoever needs help, found a weakness or wants to release finds how", () => {
    for (const file of [".github/SUPPORT.md", ".github/ISSUE_TEMPLATE/bug.yml", "SECURITY.md", "CONTRIBUTING.md"])
      assert.ok(fs.readFileSync(file, "utf8").length > 300, file);
    assert.match(fs.readFileSync("test/host/release.mjs", "utf8"), /pre-release/i);
  });

  test("nothing is opened or shown at the first start, and there is no telemetry", () => {
    const sources = fs.readFileSync("src/extension.ts", "utf8");
    assert.doesNotMatch(sources, /show(?:Information|Warning|Error)Message|openWalkthrough"\)|openExternal/);
    const all = fs
      .readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => fs.readFileSync(`src/${name}`, "utf8"))
      .join("\n");
    assert.doesNotMatch(all, /createTelemetryLogger|TelemetryReporter|applicationinsights/);
    assert.equal((all.match(/createOutputChannel\(/g) ?? []).length, 1);
    assert.equal((all.match(/createStatusBarItem\(/g) ?? []).length, 2);
    assert.equal((all.match(/createWebviewPanel\(/g) ?? []).length, 2);
    assert.doesNotMatch(all, /retainContextWhenHidden/);
  });
});
