import fc from "fast-check";
import { anyText } from "../../anyText.ts";

/** Gaps between tokens, comments among them. */
const gap = fc.constantFrom("", "", " ", "\n", "\t", "\r\n", "/* c, } */", '// line ] " \n', " /**/ ");

const literal = fc.oneof(
  fc.constantFrom(
    "0",
    "-0.0",
    "1e-8",
    "0.10",
    "1E400",
    "9007199254740993",
    "123456789012345678901234567890",
    "-1.5E+3",
    "true",
    "false",
    "null",
  ),
  anyText().map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u00e9\\/\\b"', '"\\uD800"', '"// no comment"', '"/* nor this */"', '"a,]}"'),
);

const name = fc
  .oneof(fc.constantFrom("a", "b", "method", "params"), fc.string({ maxLength: 4 }))
  .map((text) => JSON.stringify(text));

/** Texts of JSON with comments and trailing commas, without mistakes. Names may stand twice. */
export const { jsoncDocument } = fc.letrec<{ jsoncDocument: string }>((tie) => {
  const trailing = fc.constantFrom("", ",");
  const item = fc.tuple(gap, tie("jsoncDocument"), gap).map((parts) => parts.join(""));
  const member = fc
    .tuple(gap, name, gap, fc.constant(":"), gap, tie("jsoncDocument"), gap)
    .map((parts) => parts.join(""));
  const list = fc
    .tuple(fc.array(item, { maxLength: 3 }), gap, trailing)
    .map(([items, end, comma]) => `[${items.join(",")}${items.length > 0 ? comma : ""}${end}]`);
  const object = fc
    .tuple(fc.array(member, { maxLength: 3 }), gap, trailing)
    .map(([members, end, comma]) => `{${members.join(",")}${members.length > 0 ? comma : ""}${end}}`);
  return { jsoncDocument: fc.oneof({ maxDepth: 4, depthIdentifier: "jsonc" }, literal, list, object) };
});
