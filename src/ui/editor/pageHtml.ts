/** The parts of a page of a webview. */
interface PageFrame {
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
  readonly title: string;
  readonly language: string;
}

/**
 * Returns the page around the program that draws it. The page may load its own script and style, by their nonce, and
 * nothing else.
 */
export function pageHtml({ script, style, nonce, title, language }: PageFrame): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" nonce="${nonce}" href="${escapeHtml(style)}">
</head>
<body>
<script nonce="${nonce}" src="${escapeHtml(script)}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
