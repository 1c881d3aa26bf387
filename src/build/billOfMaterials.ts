import * as fs from "node:fs";
import { packagesOf, readPackage, type BundledPackage } from "./packages.ts";

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
