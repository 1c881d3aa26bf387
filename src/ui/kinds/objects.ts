import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { AnyReadMethod } from "../../catalogue/index.ts";
import type { ViewFilter } from "../../present/rows/viewFilter.ts";
import type { Resource } from "../../state/resource.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { Handler, Handlers } from "../editor/handler.ts";
import {
  createResourcePane,
  type Found,
  type PanePorts,
  type ResourcePane,
  type ViewKind,
} from "../tree/resourceView.ts";
import type { Ui } from "../ui.ts";

/** How the objects of a kind are opened and copied. */
export interface ObjectKind<T> {
  /** Returns a key that is equal for the same object of a connection. */
  readonly keyOf: (item: T) => string;
  /** Returns the reason that is shown where the row of a command is gone. */
  readonly gone: () => Plain;
  /** Returns the call that reads the object, and the name of the document with its response. */
  readonly readingOf: (found: Found<T>) => { readonly name: string; readonly intent: Intent };
  /** Returns what is known of the object, as it was received. */
  readonly knownOf: (item: T) => object | undefined;
  /** Whether JSON is copied as it is known (default: it is read for that, because rows round numbers). */
  readonly isCopiedAsKnown?: (item: T) => boolean;
  /** Lets the user choose objects where a command gets no row (default: that is refused). */
  readonly choose?: (title: Plain, ports: ChoicePorts) => Promise<readonly Found<T>[]>;
  /** Returns the handlers of the commands that all kinds have; a title is that of their list to choose from. */
  readonly handlers: (commands: ObjectCommands<T>) => Handlers;
}

/** How objects of a kind are chosen from a list, by commands and by `$pick` in request files. */
export interface ObjectList<T> {
  readonly listed: (live: LiveConnection) => readonly T[];
  /** Returns the store that is read before the list is shown, if it was not read yet (default: none). */
  readonly storeOf?: (live: LiveConnection) => Pick<Resource<T>, "snapshot" | "refresh">;
  /** Reads what the list needs besides. */
  readonly read?: (live: LiveConnection) => Promise<unknown>;
  readonly choice: (found: Found<T>, ui: Pick<Ui, "times" | "clock">) => ObjectChoice;
  /** Whether the object comes before others (default: they stand in the order of their view). */
  readonly isFirst?: (item: T, nowMs: number) => boolean;
  /** Returns the hint about what is searched in. */
  readonly search: () => Plain;
  /** Returns the sentence about an empty list. */
  readonly none: () => Plain;
}

interface ObjectChoice {
  readonly label: Plain;
  readonly detail?: Plain;
  /** What tells it from others, besides its connection. */
  readonly traits: readonly Plain[];
}

/** Objects that may be chosen, and the sentence where there are none. An empty list is not shown then. */
export interface Offered<T> {
  readonly isOffered?: (found: Found<T>) => boolean;
  readonly none?: Plain;
}

export type ChoicePorts = Pick<Ui, "dialogs" | "liveConnections" | "clock" | "times">;

/** Lets the user choose an object of a list. Empty when the user left. */
export async function chooseFrom<T>(
  list: ObjectList<T>,
  title: Plain,
  ui: ChoicePorts,
  { isOffered = () => true, none: refusal }: Offered<T> = {},
): Promise<readonly Found<T>[]> {
  const { listed, isFirst = () => true, search, none } = list;
  const accounts = openAccounts(ui.liveConnections);
  // From the Command Palette the view may not have been shown yet, and then nothing has been read.
  await Promise.all(accounts.map(async (live) => await readList(list, live)));
  const nowMs = ui.clock.now();
  const found = accounts.flatMap((live) => listed(live).map((item) => ({ live, item }))).filter(isOffered);
  const choices = [true, false].flatMap((isAhead) =>
    found.filter(({ item }) => isFirst(item, nowMs) === isAhead).map((each) => choiceOf(list, each, ui)),
  );
  if (choices.length === 0 && refusal !== undefined) throw refused(refusal);
  const placeholder = choices.length === 0 ? none() : search();
  const result = await ui.dialogs.askChoice({ title, placeholder, choices, isPresent: () => false });
  return result.kind === "next" ? [result.value] : [];
}

/** Returns an object with its connection, as an item of a list to choose from. */
export function choiceOf<T>(
  { choice }: Pick<ObjectList<T>, "choice">,
  found: Found<T>,
  ui: Pick<Ui, "times" | "clock">,
): Choice<Found<T>> {
  const { traits, ...shown } = choice(found, ui);
  return { ...shown, description: plain.join([found.live.place, ...traits], " · "), value: found };
}

/** Reads a store that was not read yet. */
export async function readOnce(store: Pick<Resource<unknown>, "snapshot" | "refresh">): Promise<void> {
  if (store.snapshot.readAtMs === undefined) await store.refresh();
}

/** Reads what a list needs before it is shown. */
async function readList<T>({ storeOf, read }: ObjectList<T>, live: LiveConnection): Promise<void> {
  if (storeOf !== undefined) await readOnce(storeOf(live));
  await read?.(live);
}

/** Returns the intent to read an object from a view. `action` names it as a command, `target` names the object. */
export function readIntent(method: AnyReadMethod, params: object, action: Plain, target: Plain): Intent {
  const words = { action, target, detail: [], keep: l10n.t("Cancel") };
  return { method, paramsText: JSON.stringify(params), words, origin: "view" };
}

/** The rows of a view, whose objects it finds. */
export interface Rows<T> {
  find(rowId: string): Found<T> | readonly Found<T>[] | undefined;
}

/** The commands that all kinds have: for the objects of rows, or for those that are chosen from a list with a title. */
interface ObjectCommands<T> {
  readonly open: (title?: Plain) => Handler;
  readonly copyText: (title: Plain, textOf: (item: T) => string) => Handler;
  readonly copyJson: (title?: Plain) => Handler;
}

/** A view whose objects can be chosen, opened, and copied. */
export interface ResourceKind<Item, Shown = Item, F extends ViewFilter = ViewFilter> extends ViewKind<Item, Shown, F> {
  readonly objects: ObjectKind<Shown>;
}

/** The pane of a kind, whose objects have commands. */
interface KindPane<Shown, F extends ViewFilter> extends ResourcePane<Shown, F> {
  /** Makes the commands that all kinds have; `make` is loaded later. */
  handlers(make: <T>(objects: ObjectKind<T>, pane: Rows<T>) => Handlers): Handlers;
}

/** Returns the function that makes the pane of a kind, with the store that it reads. */
export function paneOf<Item, Shown, F extends ViewFilter>(
  kind: ResourceKind<Item, Shown, F>,
): ((ports: PanePorts) => KindPane<Shown, F>) & Pick<ResourceKind<Item, Shown, F>, "storeOf"> {
  const make = (ports: PanePorts): KindPane<Shown, F> => {
    const pane = createResourcePane(kind, ports);
    return Object.assign(pane, { handlers: (commands) => commands(kind.objects, pane) } satisfies Pick<
      KindPane<Shown, F>,
      "handlers"
    >);
  };
  return Object.assign(make, { storeOf: kind.storeOf });
}
