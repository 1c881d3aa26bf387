import * as vscode from "vscode";
import type { Plain } from "../../base/plain.ts";
import type { Handlers } from "../editor/handler.ts";
import { copyJsonTexts, readJson, showReading } from "../responses/readings.ts";
import type { Found } from "../tree/resourceView.ts";
import { rowsOf, rowsOrPick } from "../tree/selectedRows.ts";
import type { Ui } from "../ui.ts";
import type { ChoicePorts, ObjectKind, Rows } from "./objects.ts";

/** Returns the objects of rows; without rows, the user chooses. Throws `CallError` where they are gone. */
export async function rowsOrChoose<T>(
  args: readonly unknown[],
  { keyOf, gone, choose }: Pick<ObjectKind<T>, "keyOf" | "gone" | "choose">,
  title: Plain,
  { pane, ...ports }: ChoicePorts & { readonly pane: Rows<T> },
): Promise<readonly Found<T>[]> {
  const source = {
    find: (id: string) => pane.find(id),
    keyOf: ({ live, item }: Found<T>) => `${live.record.id} ${keyOf(item)}`,
    gone: gone(),
  };
  return choose === undefined
    ? rowsOf(args, source)
    : await rowsOrPick(args, source, async () => await choose(title, ports));
}

type ObjectPorts<T> = ChoicePorts & Pick<Ui, "responses"> & { readonly pane: Rows<T> };

/** Makes the commands that all kinds have, for one of them. They only read. */
export function objectHandlers<T>(kind: ObjectKind<T>, ports: ObjectPorts<T>): Handlers {
  return kind.handlers({
    open:
      (title = "") =>
      async (...args) => {
        for (const found of await rowsOrChoose(args, kind, title, ports)) {
          const { name, intent } = kind.readingOf(found);
          await showReading(found.live, name, intent, ports);
        }
      },
    copyText:
      (title, textOf) =>
      async (...args) => {
        const chosen = await rowsOrChoose(args, kind, title, ports);
        if (chosen.length > 0) await vscode.env.clipboard.writeText(chosen.map(({ item }) => textOf(item)).join("\n"));
      },
    copyJson:
      (title = "") =>
      async (...args) => {
        const chosen = await rowsOrChoose(args, kind, title, ports);
        const texts = await Promise.all(chosen.map(async (found) => await jsonOf(kind, found)));
        await copyJsonTexts(texts);
      },
  });
}

async function jsonOf<T>({ knownOf, isCopiedAsKnown, readingOf }: ObjectKind<T>, found: Found<T>): Promise<string> {
  const known = knownOf(found.item);
  return isCopiedAsKnown?.(found.item) === true
    ? JSON.stringify(known, undefined, 2)
    : await readJson(found.live, readingOf(found).intent, known ?? {});
}
