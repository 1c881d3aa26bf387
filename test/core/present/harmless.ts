import assert from "node:assert/strict";

/* What must never be in a text that the user reads, wherever its parts come from: reliability T17–T21, T57. */

/**
 * What VS Code makes a link of in every notification and in a few other places, commands included.
 * https://github.com/microsoft/vscode/blob/main/src/vs/base/common/linkedText.ts
 */
const VSCODE_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

/** What it makes an icon of in labels, the status bar and picks: src/vs/base/common/iconLabels.ts. */
const VSCODE_ICON = /\$\([\w~-]+\)/;

/** Control, format, line and paragraph separator, half a character, private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;

/**
 * Fails for a text in which something of another's making could act as more than text. One line unless told otherwise.
 */
export function assertHarmless(text: string, about: string, lines: "one" | "several" = "one"): void {
  for (const line of lines === "one" ? [text] : text.split("\n")) {
    if (VSCODE_LINK.test(line)) assert.fail(`a link in ${about}: ${JSON.stringify(line)}`);
    if (VSCODE_ICON.test(line)) assert.fail(`an icon in ${about}: ${JSON.stringify(line)}`);
    if (UNSEEN.test(line)) assert.fail(`something unseen in ${about}: ${JSON.stringify(line)}`);
  }
}
