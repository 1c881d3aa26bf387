import fs from "node:fs";
import path from "node:path";
import { test } from "vitest";
import { expectGolden } from "../golden.ts";
import { messageOf } from "./bundle.ts";
import { buildWalk } from "./walk/build.ts";
import type { InventoryOptions, WholeManifest } from "./walk/inventory.ts";

/** The manifest with its texts in the place of their names. */
function readManifest(): WholeManifest {
  const texts = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Readonly<Record<string, string>>;
  return JSON.parse(fs.readFileSync("package.json", "utf8"), (_, value: unknown) =>
    typeof value === "string" ? (texts[/^%(.+)%$/.exec(value)?.[1] ?? ""] ?? value) : value,
  ) as WholeManifest;
}

test("each view in each state, each menu, and what each command asks first", async () => {
  const file = await buildWalk([], "inventoryWorker");
  try {
    const text = await messageOf<string>(file, { manifest: readManifest() } satisfies InventoryOptions);
    // The only text that chance decides: a key pair that is made.
    const said = text.replaceAll(/(-----BEGIN PUBLIC KEY-----).*?(-----END)/g, "$1 … $2");
    await expectGolden("test/simulation/inventory.golden.txt", said);
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true, force: true });
  }
});
