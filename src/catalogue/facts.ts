import type { MethodFacts } from "./describe.ts";

/**
 * The facts of methods as they ship. Methods that differ in nothing but their names share one entry: their access, the
 * rest of the facts, and their names after the access, separated by spaces. The facts leave out what most have.
 */
export type PackedFacts = readonly [access: "public" | "private", facts: Partial<MethodFacts>, names: string];

const USUAL = {
  rate: "default",
  scopes: [],
  isContract: false,
  isHinted: false,
  resultSecrets: [],
  paramSecrets: [],
} as const;

/** Returns the facts packed, in their order. For build time only. */
export function packFacts(all: readonly MethodFacts[]): readonly PackedFacts[] {
  const packed: [access: "public" | "private", facts: Partial<MethodFacts>, names: string][] = [];
  for (const { name, ...facts } of all) {
    const access = name.startsWith("public/") ? "public" : "private";
    const rest: Partial<MethodFacts> = Object.fromEntries(
      Object.entries(facts).filter(
        ([key, value]) => JSON.stringify(value) !== JSON.stringify((USUAL as Record<string, unknown>)[key]),
      ),
    );
    const ownName = name.slice(access.length + 1);
    const alike = packed.find((each) => each[0] === access && JSON.stringify(each[1]) === JSON.stringify(rest));
    if (alike === undefined) packed.push([access, rest, ownName]);
    else alike[2] += ` ${ownName}`;
  }
  return packed;
}

/** Returns packed facts as they were. */
export function unpackFacts(packed: readonly PackedFacts[]): readonly MethodFacts[] {
  return packed.flatMap(([access, facts, names]) => {
    // Put together once: this runs when the program is loaded, and there are two hundred methods.
    const shared: Omit<MethodFacts, "name"> = { ...USUAL, effect: "read", ...facts };
    return names.split(" ").map((name): MethodFacts => ({ ...shared, name: `${access}/${name}` }));
  });
}
