/* The colours of the editor's theme, for what a style sheet does not reach: the canvas. */

export interface ChartColors {
  readonly text: string;
  readonly grid: string;
  readonly buy: string;
  readonly sell: string;
  readonly fontFamily: string;
  readonly isHighContrast: boolean;
}

/** Reads the current colors; the names on the right are those of VS Code. */
export function readColors(): ChartColors {
  const style = getComputedStyle(document.body);
  const color = (...names: readonly string[]): string =>
    names.map((name) => style.getPropertyValue(name).trim()).find((value) => value !== "") ?? style.color;
  const isHighContrast =
    document.body.classList.contains("vscode-high-contrast") ||
    document.body.classList.contains("vscode-high-contrast-light");
  const text = color("--vscode-editor-foreground", "--vscode-foreground");
  return {
    text,
    // Lines as strong as borders would hide the trades among them.
    grid: isHighContrast
      ? `color-mix(in srgb, ${color("--vscode-contrastBorder")} 40%, transparent)`
      : color("--vscode-editorIndentGuide-background1", "--vscode-editorWidget-border"),
    buy: isHighContrast ? text : color("--vscode-charts-green"),
    sell: isHighContrast ? text : color("--vscode-charts-red"),
    fontFamily: color("--vscode-font-family"),
    isHighContrast,
  };
}

/** Calls back whenever VS Code has put another theme, or other accessibility settings, into the page. */
export function onThemeChange(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
}
