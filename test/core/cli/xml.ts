/*
 * As much of XML as a report of test results uses: enough to say whether a reader of such reports would take it.
 */

interface Form {
  readonly inside: readonly string[];
  readonly attributes: readonly string[];
}

const FORMS: Readonly<Record<string, Form>> = {
  "": { inside: ["testsuites"], attributes: [] },
  testsuites: { inside: ["testsuite"], attributes: ["name", "tests", "failures", "errors", "skipped", "time"] },
  testsuite: {
    inside: ["properties", "testcase"],
    attributes: ["name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
  },
  properties: { inside: ["property"], attributes: [] },
  property: { inside: [], attributes: ["name", "value"] },
  testcase: { inside: ["failure", "error", "skipped", "system-out"], attributes: ["name", "classname", "time"] },
  failure: { inside: [], attributes: ["message", "type"] },
  error: { inside: [], attributes: ["message", "type"] },
  skipped: { inside: [], attributes: ["message"] },
  "system-out": { inside: [], attributes: [] },
};

const COUNTED = { tests: "testcase", failures: "failure", errors: "error", skipped: "skipped" } as const;
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NOT_ESCAPED = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** What is wrong with a JUnit report: its form as XML, its elements, its counts. Empty when a reader would take it. */
export function xmlProblems(text: string): readonly string[] {
  const open: string[] = [];
  const problems = text.startsWith(DECLARATION) ? [] : ["no declaration"];
  for (const token of text.slice(DECLARATION.length).split(/(<[^>]*>)/))
    problems.push(...(token.startsWith("<") ? tagProblems(token, open, text) : textProblems(token, open.at(-1) ?? "")));
  return open.length === 0 ? problems : [...problems, `not closed: ${open.join(", ")}`];
}

function textProblems(text: string, inside: string): readonly string[] {
  if (NOT_ESCAPED.test(text)) return [`text that is no XML: ${text}`];
  return text.trim() === "" || ["failure", "error", "system-out"].includes(inside) ? [] : [`stray text: ${text}`];
}

function tagProblems(token: string, open: string[], text: string): readonly string[] {
  const [, slash, name = "", rest = "", empty] = /^<(\/?)([\w-]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>$/.exec(token) ?? [];
  if (name === "") return [`no tag: ${token}`];
  if (slash === "/") return open.pop() === name ? [] : [`${name} is closed and was not open`];
  const problems =
    FORMS[open.at(-1) ?? ""]?.inside.includes(name) === true ? [] : [`${name} in ${open.at(-1) ?? "nothing"}`];
  if (empty !== "/") open.push(name);
  return [...problems, ...attributeProblems(name, rest, text)];
}

function attributeProblems(name: string, rest: string, text: string): readonly string[] {
  const attributes = new Map([...rest.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]));
  const odd = [...attributes.values()]
    .filter((value) => NOT_ESCAPED.test(value))
    .map((value) => `an attribute that is no XML: ${value}`);
  const missing = (FORMS[name]?.attributes ?? [])
    .filter((wanted) => !attributes.has(wanted))
    .map((wanted) => `${name} without ${wanted}`);
  const miscounted =
    name !== "testsuites"
      ? []
      : Object.entries(COUNTED)
          .filter(
            ([attribute, element]) =>
              attributes.get(attribute) !== String(text.split(new RegExp(`<${element}[ >]`)).length - 1),
          )
          .map(([attribute]) => `${attribute} is not their number`);
  return [...odd, ...missing, ...miscounted];
}
