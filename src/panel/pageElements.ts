/* Making elements. Texts go in as text: nothing of what the exchange says is ever read as markup. */

/** Makes an element with attributes and a text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  text?: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Makes a button that keeps the focus while it is disabled: it says so instead of leaving the tab order. */
export function button(
  text: string,
  pressed: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", () => {
    if (made.ariaDisabled !== "true") pressed();
  });
  return made;
}

/** Sets a text only if it differs, so that screen readers do not read it again. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
