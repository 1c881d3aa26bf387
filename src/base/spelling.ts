/* The ways in which the names of members are spelled. Gateways in front of the exchange have their own. */

/** Returns a name without capitals and signs, in which spellings differ. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Returns a name in camel case. */
function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a name as JSON, headers, and environment variables spell it: `client_secret`, `Client-Secret`, and so on. */
export function spellings(name: string): readonly string[] {
  const camel = camelCase(name);
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const snake = [name, name.toUpperCase(), name.split("_").map(capital).join("_"), capital(name)];
  const others = [camel, capital(camel), name.replaceAll("_", "")];
  return [...new Set([...snake, ...snake.map((each) => each.replaceAll("_", "-")), ...others])];
}

/** Returns the words of a name in snake case, camel case, or with hyphens, in small letters. */
export function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}
