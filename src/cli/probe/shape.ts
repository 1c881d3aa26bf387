import { isObject } from "../../base/json.ts";
import { plain, type Plain } from "../../base/plain.ts";

/**
 * Returns the names and types of a response, without its values: `{ equity: number, limits: { … } }`. An array has the
 * type of all its first elements together.
 */
export function shapeOf(value: unknown, depth = 0): Plain {
  if (value === null) return plain`null`;
  if (Array.isArray(value)) return arrayShape(value, depth);
  if (isObject(value)) return objectShape([value], depth);
  if (typeof value === "number") return Number.isInteger(value) ? plain`integer` : plain`number`;
  return plain.name(typeof value);
}

const MAX_DEPTH = 5;
const MAX_MEMBERS = 80;
const MAX_ELEMENTS = 50;

function arrayShape(values: readonly unknown[], depth: number): Plain {
  const first = values.slice(0, MAX_ELEMENTS);
  if (first.length === 0) return plain`[]`;
  return first.every((each) => isObject(each))
    ? plain`[${objectShape(first, depth)}]`
    : plain`[${typesOf(first, depth)}]`;
}

function objectShape(objects: readonly object[], depth: number): Plain {
  if (depth >= MAX_DEPTH) return plain`{ … }`;
  const values = new Map<string, unknown[]>();
  for (const each of objects)
    for (const [name, value] of Object.entries(each)) {
      const shown = shownName(name);
      values.set(shown, [...(values.get(shown) ?? []), value]);
    }
  if (values.size === 0) return plain`{}`;
  const members = [...values].slice(0, MAX_MEMBERS).map(([name, each]) => {
    // The names in a map are those of what the account holds.
    const types = name.endsWith("_map") ? mapShape(each, depth + 1) : typesOf(each, depth + 1);
    return plain`${plain.name(name)}${each.length < objects.length ? "?" : ""}: ${types}`;
  });
  return plain`{ ${plain.join([...members, ...(values.size > MAX_MEMBERS ? [plain`…`] : [])], ", ")} }`;
}

function mapShape(values: readonly unknown[], depth: number): Plain {
  const entries = values.flatMap((each) => (isObject(each) ? Object.values(each) : []));
  return plain`{ •: ${typesOf(entries, depth)} }`;
}

function typesOf(values: readonly unknown[], depth: number): Plain {
  const objects = values.filter((each) => isObject(each));
  const others = values.filter((each) => !isObject(each)).map((each) => shapeOf(each, depth));
  return plain.join([...new Set([...(objects.length === 0 ? [] : [objectShape(objects, depth)]), ...others])], " | ");
}

/** Returns the name of a member, unless it may be a value itself, such as the ID of an account. */
function shownName(name: string): string {
  return /^[A-Za-z_]\w{0,39}$/.test(name) && !/\d{4}/.test(name) ? name : "•";
}
