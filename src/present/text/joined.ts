import { plain, type Plain } from "../../base/plain.ts";
import { countText } from "./numbers.ts";

/** Returns texts as one, without those that say nothing. */
export function joined(texts: readonly (Plain | undefined)[], separator: " " | ", " | "; " | " · " | ". "): Plain {
  return plain.join(
    texts.map((text) => text ?? "").filter((text) => text !== ""),
    separator,
  );
}

/** Returns how many there are of each kind, in the order of the words for them. Kinds without any say nothing. */
export function countedKinds<Kind extends string>(
  all: readonly { readonly kind: Kind }[],
  words: Readonly<Record<Kind, (count: Plain) => Plain>>,
  separator: " " | ", ",
): Plain {
  const texts = Object.entries<(count: Plain) => Plain>(words).map(([kind, textOf]) => {
    const count = all.filter((each) => each.kind === kind).length;
    return count === 0 ? "" : textOf(countText(count));
  });
  return joined(texts, separator);
}
