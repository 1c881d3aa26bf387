import fc from "fast-check";

/**
 * Names that objects have without having been given them, and such that mean something to those who read JSON or a
 * prototype.
 */
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "key",
  "length",
  "",
];

/** Every character that is no half of one. What the library has for it costs half a second before the first text. */
const character = fc.nat(0x10_ff_ff - 0x800).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** A text of any characters, or a name that is treacherous. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  const names = NAMES.filter((name) => name.length <= (constraints.maxLength ?? Infinity));
  return fc.oneof(
    { weight: 15, arbitrary: fc.string({ ...constraints, unit: character }) },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  );
}
