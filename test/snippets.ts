import assert from "node:assert/strict";

/**
 * The text that a snippet becomes when every place is left as it is offered: the first of its choices, `x` as another
 * text, 60 as another number, and `{}` for an object of which nothing is known.
 */
export function filledSnippet(snippet: string): string {
  const filled = snippet
    .replaceAll(/\{ \$\{\d+\} \}/g, "{}")
    .replaceAll(/"\$\{\d+\}"/g, '"x"')
    .replaceAll(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, "$1")
    .replaceAll(/"\$\{\d+:(\{\{max_scope)\\\}\\\}\}"/g, '"account:read"')
    .replaceAll(/\$\{\d+:([^{}]*)\}/g, "$1")
    .replaceAll(/\$\{\d+\}/g, "60")
    .replace("$0", "")
    .replaceAll("\\$", "$");
  assert.doesNotMatch(filled, /\$\{/, snippet);
  return filled;
}
