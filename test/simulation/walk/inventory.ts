import { activate } from "../../../src/extension.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { disk } from "./disk.ts";
import { closeDocument, desk, documents, openDesk, runCommand, workspace, type Asked } from "./editor.ts";
import { net } from "./net.ts";
import { QuickPickItemKind } from "./shapes.ts";
import { createContext, useMachine, type Manifest } from "./walk.ts";

/*
 * Everything that a user can read and press, as text: each view in each state, with the texts and the menus of its rows,
 * and what each command asks first, with nothing chosen and on each kind of row. The extension is the one that ships.
 */

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

export interface WholeManifest {
  readonly contributes: Omit<Manifest["contributes"], "commands"> & {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<
      Record<string, readonly { readonly id: string; readonly name: string; readonly when: string }[]>
    >;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
  };
}

export interface InventoryOptions {
  readonly manifest: WholeManifest;
}

interface Item {
  readonly label?: unknown;
  readonly description?: unknown;
  readonly tooltip?: unknown;
  readonly contextValue?: string;
  readonly collapsibleState?: number;
  readonly accessibilityInformation?: unknown;
  readonly iconPath?: unknown;
  readonly command?: { readonly command: string };
}

interface Row {
  readonly id: string;
  readonly view: string;
  readonly contextValue: string;
}

/** How many steps of a wizard are answered. */
const MAX_STEPS = 12;
/** How often the same step is answered, each time otherwise. */
const MAX_SAME = 3;
/** The longest that a command is waited for. */
const PATIENCE_MS = 120_000;
/** Rows of one kind are shown that often. */
const ROWS_OF_A_KIND = 3;
const MAX_ITEMS = 25;

type Values = ReadonlyMap<string, unknown>;

/** Whether a `when` clause is true: terms of `!a`, `a`, `a == b`, and `a =~ /b/`, joined by && or by ||. */
function isTrue(when: string | undefined, values: Values): boolean {
  if (when === undefined) return true;
  // In a pattern || has no spaces around it.
  if (when.includes(" || ")) return when.split(" || ").some((each) => isTrue(each, values));
  const valueOf = (name: string): string => textOf(values.get(name));
  const isSet = (name: string): boolean => Boolean(values.get(name));
  return when.split(" && ").every((term) => {
    const [, name = "", sign, wanted = ""] = /^(\S+) (==|=~) (.*)$/.exec(term) ?? [];
    if (sign === "=~") return new RegExp(wanted.replaceAll(/^\/|\/\w*$/g, "")).test(valueOf(name));
    if (sign === "==") return valueOf(name) === wanted.replaceAll("'", "");
    return term.startsWith("!") ? !isSet(term.slice(1)) : isSet(term);
  });
}

/** What a part of the screen says, in one line. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value.replaceAll("\n", " | ");
  if (typeof value !== "object") return JSON.stringify(value);
  const { value: text, label, title, tooltip, id } = value as Readonly<Record<string, unknown>>;
  return textOf(text ?? label ?? title ?? tooltip ?? id ?? "Back");
}

const isSeparator = (item: unknown): boolean =>
  (item as { readonly kind?: number }).kind === QuickPickItemKind.Separator;

/** What is asked, as lines. */
function askedLines(asked: Asked): readonly string[] {
  const buttons = "buttons" in asked && asked.buttons.length > 0 ? ` [${asked.buttons.map(textOf).join(", ")}]` : "";
  const items = asked.kind === "pick" ? (asked.items as readonly Readonly<Record<string, unknown>>[]) : [];
  return [
    `  ${asked.kind}: ${textOf(asked.text)}${buttons}`,
    ...(asked.kind === "input" && asked.value !== "" ? [`    value: ${asked.value}`] : []),
    ...items.slice(0, MAX_ITEMS).map((item) => {
      const texts = [item["label"], item["description"], item["detail"]].map(textOf).filter(Boolean);
      return `    ${isSeparator(item) ? "—" : "·"} ${texts.join(" — ")}`;
    }),
    ...(items.length > MAX_ITEMS ? [`    and ${items.length - MAX_ITEMS} more`] : []),
  ];
}

function leave(asked: Asked): void {
  if (asked.kind === "message" || asked.kind === "file") asked.choose(undefined);
  else asked.hide();
}

/** The window that is looked at, and the text of it. */
class Inventory {
  readonly lines: string[] = [];
  /** What was told since the last command. */
  told: string[] = [];
  readonly #clock: FakeClock;
  readonly #manifest: WholeManifest["contributes"];

  constructor(clock: FakeClock, manifest: WholeManifest["contributes"]) {
    this.#clock = clock;
    this.#manifest = manifest;
  }

  /** Lets everything that runs come to an end, or to a question. */
  async rest(): Promise<Asked | undefined> {
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 1000) {
      for (let turn = 0; turn < 5; turn++) await this.#clock.settle();
      const asked = desk.asked.filter((each) => each.kind !== "message" || each.isModal).at(-1);
      if (asked !== undefined || desk.running.size === 0) return asked;
      await this.#clock.advance(1000);
    }
    this.lines.push("  goes on");
    desk.running.clear();
    return undefined;
  }

  /** Leaves whatever is asked. */
  async leaveAll(): Promise<void> {
    do {
      for (const each of [...desk.asked]) leave(each);
      await this.rest();
    } while (desk.asked.length > 0);
  }

  /** Writes down every view that the sidebar has; returns the first row of each kind. */
  async lookAt(state: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    this.lines.push("", `# ${state}`);
    for (const { id: view, name, when } of Object.values(this.#manifest.views).flat()) {
      const values = new Map<string, unknown>([...desk.contexts, ["view", view]]);
      if (!isTrue(when, values)) continue;
      this.lines.push("", `## ${name}`, `title: ${this.#menu("view/title", values)}`);
      const tree = desk.trees.get(view);
      if (tree === undefined) continue;
      const before = rows.length;
      await this.#visit({ view, provider: tree.provider, values, rows, counts: new Map() }, undefined, 0);
      for (const what of ["title", "description", "message", "badge"])
        if (textOf(tree.view[what]) !== "") this.lines.push(`${what}: ${textOf(tree.view[what])}`);
      const welcomes = this.#manifest.viewsWelcome.filter((each) => each.view === view && isTrue(each.when, values));
      if (rows.length === before) this.lines.push(...welcomes.map(({ contents }) => `welcome: ${textOf(contents)}`));
    }
    return rows;
  }

  async #visit(looked: Looked, id: string | undefined, depth: number): Promise<void> {
    const { view, provider, values, rows, counts } = looked;
    for (const child of (await provider["getChildren"]?.(id)) as readonly string[]) {
      const item = (await provider["getTreeItem"]?.(child)) as Item;
      await provider["resolveTreeItem"]?.(item, child);
      const contextValue = item.contextValue ?? "";
      const count = (counts.get(`${depth} ${contextValue}`) ?? 0) + 1;
      counts.set(`${depth} ${contextValue}`, count);
      if (count > ROWS_OF_A_KIND) continue;
      if (count === 1) rows.push({ id: child, view, contextValue });
      const menu = this.#menu("view/item/context", new Map([...values, ["viewItem", contextValue]]));
      this.lines.push(...itemLines(item, count === 1 ? menu : "").map((line) => "  ".repeat(depth) + line));
      if (depth < 4 && (item.collapsibleState ?? 0) > 0) await this.#visit(looked, child, depth + 1);
    }
  }

  /** The entries of a menu, each with its group. */
  #menu(place: string, values: Values): string {
    const { menus, commands } = this.#manifest;
    const titleOf = (id: string | undefined): string => commands.find(({ command }) => command === id)?.title ?? "";
    return (menus[place] ?? [])
      .filter(({ when }) => isTrue(when, values))
      .map(({ command, submenu = "", group = "" }) => `${group} ${titleOf(command) || submenu}`)
      .sort()
      .join(" · ");
  }

  /** Runs each command with nothing chosen, if the palette has it, and on each row whose menu has it. */
  async tryCommands(rows: readonly Row[]): Promise<void> {
    const { commands, menus } = this.#manifest;
    this.lines.push("", "# Commands");
    for (const { command } of commands.filter((each) => !ABOUT_THE_LINK.test(each.command))) {
      const entries = (place: string): readonly MenuItem[] =>
        (menus[place] ?? []).filter((each) => each.command === command);
      if (!entries("commandPalette").some(({ when }) => when === "false"))
        await this.#try(command, [], "from the palette");
      for (const { id, view, contextValue } of rows) {
        const values = new Map<string, unknown>([...desk.contexts, ["view", view], ["viewItem", contextValue]]);
        if (entries("view/item/context").some(({ when }) => isTrue(when, values)))
          await this.#try(command, [id], `on ${view.replace("tradingRpc.", "")} ${contextValue}`);
      }
    }
  }

  /** Runs a command, and answers its steps; a question before a change is left. */
  async #try(id: string, args: readonly unknown[], place: string): Promise<void> {
    this.told = [];
    this.lines.push("", `### ${id}, ${place}`);
    runCommand(id, args).catch((error: unknown) => this.lines.push(`  fails: ${String(error)}`));
    let same = 0;
    for (let step = 0, text = ""; step < MAX_STEPS && same < MAX_SAME; step++) {
      const asked = await this.rest();
      if (asked === undefined) break;
      same = asked.text === text ? same + 1 : 0;
      text = asked.text;
      if (same === 0) this.lines.push(...askedLines(asked));
      if (!answer(asked, same)) break;
    }
    for (const each of desk.asked) if (each.kind === "message" && !each.isModal) this.lines.push(...askedLines(each));
    await this.leaveAll();
    this.lines.push(...this.told.map((line) => `  ${textOf(line)}`));
    for (const document of [...documents]) {
      this.lines.push(`  document: ${decodeURIComponent(document.uri.path)}, ${document.lineCount} lines`);
      closeDocument(document);
    }
    if (desk.copied !== "") this.lines.push(`  copied: ${textOf(desk.copied)}`);
    desk.copied = "";
  }
}

/** What would take away the connection that the other commands need. */
const ABOUT_THE_LINK = /^tradingRpc\.(?:connection\.(?:disconnect|connect|use)|simulator\.|connections\.reload)/;

interface Looked {
  readonly view: string;
  readonly provider: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  readonly values: Values;
  readonly rows: Row[];
  /** Rows by depth and kind. */
  readonly counts: Map<string, number>;
}

function itemLines(item: Item, menu: string): readonly string[] {
  const parts = {
    tooltip: textOf(item.tooltip),
    spoken: textOf(item.accessibilityInformation),
    icon: textOf(item.iconPath),
    context: textOf(item.contextValue),
    opens: textOf(item.command?.command),
    menu,
  };
  return [
    `- ${textOf(item.label)} — ${textOf(item.description)}`,
    ...Object.entries(parts).flatMap(([what, text]) => (text === "" ? [] : [`  ${what}: ${text}`])),
  ];
}

/** Answers with what is offered first, then with what comes next, or with ten; false where the way ends. */
function answer(asked: Asked, before: number): boolean {
  if (asked.kind === "message" || asked.kind === "file") return false;
  if (asked.kind === "input") {
    asked.accept(before === 0 ? asked.value : "10");
    return true;
  }
  const choice = asked.items.filter((each) => !isSeparator(each))[before];
  if (choice !== undefined) asked.accept([choice]);
  return choice !== undefined;
}

/** Looks at everything, and returns the text. */
export async function takeInventory({ manifest }: InventoryOptions): Promise<string> {
  const fake = createFakeClock();
  const clock: FakeClock = Object.create(fake, { now: { value: () => Math.floor(fake.now()) } }) as FakeClock;
  useMachine(clock, createFakeRandom(1));
  // Close to the middle, and never the same, so that two sessions of one instant have two tokens.
  let drawn = 0;
  const saved = net.open({ clock, random: () => 0.5 + (drawn++ % 1000) / 10_000 });
  const inventory = new Inventory(clock, manifest.contributes);
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  openDesk(
    (line) => {
      if (!/^(?:log|asked|progress)/.test(line)) inventory.told.push(line);
    },
    new Map(settings.map(([name, each]) => [name, each.default])),
  );
  disk.clear();
  workspace.isTrusted = true;
  // Two connections are kept from before; neither of them has been chosen.
  const keeper = { chance: () => true, one: () => undefined };
  const context = createContext(manifest, keeper, saved.clientId, saved.clientSecret);
  activate(context);
  await clock.advance(2000);
  await inventory.lookAt("two connections, neither of them connected");
  runCommand("tradingRpc.simulator.start", []).catch((error: unknown) => inventory.told.push(String(error)));
  await inventory.leaveAll();
  await clock.advance(15_000);
  await inventory.tryCommands(await inventory.lookAt("the simulator, connected"));
  const control = net.exchanges.at(-1)?.control;
  control?.setFault({ isChange: false, reply: { code: 10040 } } as never);
  await clock.advance(90_000);
  await inventory.lookAt("reads are refused");
  control?.clearFaults();
  control?.refuseConnections(true);
  control?.disconnectAll("reset");
  await clock.advance(20_000);
  await inventory.lookAt("the link is lost");
  control?.refuseConnections(false);
  control?.setMethods("contract");
  await clock.advance(90_000);
  await inventory.lookAt("a server with the ten methods alone");
  for (const each of context.subscriptions) each.dispose();
  await clock.advance(60_000);
  return `${inventory.lines.join("\n").trim()}\n`;
}
