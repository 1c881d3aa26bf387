import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { COMMAND_CALLS } from "../../src/actions/changes/commandScopes.ts";
import { effectOf } from "../../src/catalogue/index.ts";
import { activityHeading } from "../../src/present/activity/activity.ts";
import { frozenBadge } from "../../src/present/mmp/mmp.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { INTEGER_SETTINGS } from "../../src/base/integerSettings.ts";
import { TREE_NAMES, VIEW_NAMES } from "../../src/base/viewNames.ts";
import type { SetContext } from "../../src/ui/editor/contextKeys.ts";
import type { Handlers, RunCommand } from "../../src/ui/editor/handler.ts";

/*
 * What users of the editor expect of an extension's manifest: words, places and keys of commands, views and their
 * menus.
 */

interface Item {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly icon?: unknown;
  readonly enablement?: string;
}

interface View {
  readonly id: string;
  readonly name: string;
  readonly when: string;
  readonly visibility?: string;
}

interface SettingSchema {
  readonly default: unknown;
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Contributes {
  readonly commands: readonly Command[];
  readonly menus: Readonly<Record<string, readonly Item[]>>;
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
  readonly keybindings: readonly {
    readonly command: string;
    readonly key: string;
    readonly mac?: string;
    readonly when?: string;
  }[];
  readonly views: Readonly<Record<string, readonly View[]>>;
  readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
  readonly viewsWelcome: readonly { readonly view: string; readonly when: string; readonly contents: string }[];
  readonly languageModelTools: readonly { readonly toolReferenceName: string; readonly when?: string }[];
  readonly configuration: readonly { readonly properties: Readonly<Record<string, SettingSchema>> }[];
}

const { contributes } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { readonly contributes: Contributes };
const nls = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Readonly<Record<string, string>>;
const { commands, menus, keybindings, submenus } = contributes;
const views = contributes.views["tradingRpc"] ?? [];

const wordsOf = (key: string): string => nls[key.replaceAll("%", "")] ?? "";
const titles = new Map(commands.map(({ command, title }) => [command, wordsOf(title)]));
const itemsOf = (menu: string): readonly Item[] => menus[menu] ?? [];
const groupOf = ({ group = "" }: Item): string => group.split("@")[0] ?? "";
/** The view that a clause of a menu names. */
/** Whether the clause of an item holds for rows of a kind, named by their context value. */
const isOn = ({ when = "" }: Item, row: string): boolean => {
  const [, pattern] = /viewItem =~ \/(.*?)\/(?: &&|$)/.exec(when) ?? [];
  return pattern === undefined
    ? new RegExp(`viewItem == ${row.replaceAll(".", "\\.")}(?: |$)`).test(when)
    : new RegExp(pattern).test(row);
};

const viewOf = ({ when = "" }: Item): string => /\bview == tradingRpc\.(\w+)/.exec(when)?.[1] ?? "";

/** Commands that change something at the exchange, with what they do there. */
const WRITES = new Map<string, string>(
  Object.entries(COMMAND_CALLS).flatMap(([name, calls]) => {
    const effects = calls.map(({ method }) => effectOf(method)).filter((effect) => effect !== "read");
    return effects.map((effect) => [`tradingRpc.${name}`, effect] as const);
  }),
);
const withoutTitle = (command = ""): string => command.replace(/FromTitle$/, "");
const isDestructive = (command: string | undefined): boolean =>
  ["reduce", "mass"].includes(WRITES.get(withoutTitle(command)) ?? "");

describe("commands", () => {
  test("have an id of one form, one category, and codicons", () => {
    for (const { command, category, icon } of commands) {
      assert.match(command, /^tradingRpc\.[a-z]\w*\.[a-z]\w*$/);
      assert.equal(category, "Trading RPC", command);
      // One symbol is none of the editor's own: drawn for both kinds of themes.
      assert.ok(
        icon === undefined ||
          (typeof icon === "string" && /^\$\([a-z-]+\)$/.test(icon)) ||
          (typeof icon === "object" && icon !== null && "light" in icon && "dark" in icon),
        command,
      );
    }
    assert.equal(new Set(commands.map(({ command }) => command)).size, commands.length);
  });

  test("are titled in Title Case, without signs, and never with three dots for one ellipsis", () => {
    const small = /^(?:a|as|by|from|in|of|or|with|for|on|curl|to|and|the)$/;
    for (const [command, title] of titles) {
      assert.match(title, /^[A-Z]/, command);
      assert.doesNotMatch(title, /\.|\p{Extended_Pictographic}|\s…|Trading RPC/u, command);
      for (const word of title.replace(/…$/, "").split(" ").slice(1))
        assert.ok(/^[A-Z]/.test(word) || small.test(word), `${command}: ${title}`);
    }
  });

  test("end with an ellipsis where more is asked for, and only there", () => {
    // What is chosen or typed before anything is done; and what is done at once.
    const asks =
      /^(?:Add|Edit|Filter|Group|Sort|Switch(?! to)|Select|Open .* by ID|Export|Set(?! as)|Change|Create (?:API|Key Pair|Request File)|Remove(?!.* from)|Dismiss|Simulate|Save)\b/;
    const acts =
      /^(?:Refresh|Pause|Resume|Load|Toggle|Send|Resend|Paste|Create(?! API| Key Pair| Request File)|Disconnect|Disallow|New|Set as|Switch to|Remove .* from|Clear .* Filter)\b/;
    assert.ok(titles.size > 100);
    for (const [command, title] of titles) {
      if (asks.test(title)) assert.match(title, /…$/, command);
      if (acts.test(title)) assert.doesNotMatch(title, /…$/, command);
    }
    // A write that the user can choose from a menu asks by the policy. The button of a row says what it does.
    for (const command of WRITES.keys())
      if (!/Row$|\.(?:enable|disable)$/.test(command)) assert.match(titles.get(command) ?? "", /…$/, command);
  });

  test("that write have no default key; every key belongs to a place", () => {
    for (const { command, when = "" } of keybindings) {
      assert.ok(!WRITES.has(withoutTitle(command)), command);
      assert.match(command, /^tradingRpc\.(?:\w+\.(?:filter|clearFilter)|request\.\w+)$/);
      assert.match(when, /\bfocusedView == tradingRpc\.\w+|resourceFilename =~/, command);
    }
  });
});

/** Names that the manifest doesn't have. Never called: that they don't compile is the test. */
export function unknownNames(run: RunCommand, setContext: SetContext): Handlers {
  // @ts-expect-error No command of the manifest.
  run("tradingRpc.orders.cancel");
  // @ts-expect-error No context key of the manifest.
  setContext("orders.isStopped", true);
  // @ts-expect-error No command of the manifest.
  return { "tradingRpc.orders.cancel": () => undefined };
}

describe("clauses", () => {
  const clauses = [...Object.values(menus).flat(), ...keybindings, ...contributes.viewsWelcome].flatMap(
    ({ when }) => when ?? [],
  );

  /** The terms that name a view: what is compared with its ID, and the editor's own key about what is visible. */
  const VIEW_TERM = /\b(?:view|focusedView) == tradingRpc\.(\w+)|\bview\.tradingRpc\.(\w+)\.visible\b/g;

  test("name keys that the program sets, and views that there are", () => {
    const sources = fs
      .readdirSync("src/ui", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((file) => fs.readFileSync(`src/ui/${file}`, "utf8"))
      .join("\n");
    const set = [...sources.matchAll(/setContext\(\s*(?:"([\w.]+)"|`([\w.${}]+)`)/g)].map(
      ([, plain = "", template = ""]) => plain || template,
    );
    const patterns = set.map(
      (each) =>
        new RegExp(
          `^${each
            .split(/\$\{[\w.]+\}/)
            .map((part) => part.replaceAll(".", "\\."))
            .join("[\\w.]+")}$`,
        ),
    );
    assert.ok(patterns.length > 8, String(patterns.length));
    const named = new Set(
      clauses.flatMap((clause) =>
        [...clause.replaceAll(VIEW_TERM, "").matchAll(/tradingRpc\.([\w.]+)/g)].map(([, key = ""]) => key),
      ),
    );
    assert.deepEqual(
      [...named].filter((key) => !patterns.some((pattern) => pattern.test(key))),
      [],
    );
    const viewNames = clauses.flatMap((clause) =>
      [...clause.matchAll(VIEW_TERM)].map(([, compared = "", visible = ""]) => compared || visible),
    );
    const found = viewNames.filter((view) => !TREE_NAMES.some((each) => each === view));
    assert.deepEqual(found, []);
  });
});

describe("views", () => {
  test("stand in one container with an icon of one colour; what is used less is closed at first", () => {
    const [container, ...others] = contributes.viewsContainers.activitybar;
    assert.deepEqual(others, []);
    const icon = fs.readFileSync(container?.icon ?? "", "utf8");
    assert.match(icon, /viewBox="0 0 24 24"/);
    assert.deepEqual(
      [...new Set([...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour))].sort(),
      ["currentColor", "none"],
    );
    const found = views.map(({ id }) => id);
    assert.deepEqual(
      found,
      TREE_NAMES.map((name) => `tradingRpc.${name}`),
    );
    assert.deepEqual(
      views.filter(({ visibility }) => visibility !== "collapsed").map(({ id }) => id),
      ["tradingRpc.start", "tradingRpc.orders", "tradingRpc.positions", "tradingRpc.account"],
    );
    for (const { name } of views) assert.match(wordsOf(name), /^(?!.*Trading RPC)[A-Z][\w ]{2,17}$/);
  });

  test("are there once something is connected; until then there is one, and what was changed before", () => {
    const others = views.filter(({ when }) => when !== "tradingRpc.isConnected").map(({ id, when }) => [id, when]);
    assert.deepEqual(others, [
      ["tradingRpc.start", "!tradingRpc.isConnected"],
      ["tradingRpc.activity", "tradingRpc.isConnected || tradingRpc.hasActivity"],
    ]);
    assert.equal(views.length, TREE_NAMES.length);
  });

  test("are all searched with the same keys, by one command each, and shown whole again with Escape or a button", () => {
    for (const view of VIEW_NAMES) {
      const key = keybindings.find(({ command }) => command === `tradingRpc.${view}.filter`);
      assert.deepEqual(key, {
        command: `tradingRpc.${view}.filter`,
        key: "ctrl+f",
        mac: "cmd+f",
        when: `focusedView == tradingRpc.${view}`,
      });
      const escape = keybindings.find(({ command }) => command === `tradingRpc.${view}.clearFilter`);
      assert.equal(escape?.key, "escape", view);
      assert.ok(!(escape.when ?? "").includes("listMultiSelection"), view);
      // Escape also leaves boxes and the editor's own search: those come first. The editor says that several rows are
      // selected also when a filter has hidden them since.
      for (const term of [
        `focusedView == tradingRpc.${view}`,
        `tradingRpc.${view}.isFiltered`,
        "!inputFocus",
        "!treeFindOpen",
      ])
        assert.ok((escape.when ?? "").split(" && ").includes(term), `${view}: ${term}`);
      const inTitle = itemsOf("view/title").filter((item) => viewOf(item) === view);
      const clear = inTitle.find(({ command }) => command === `tradingRpc.${view}.clearFilter`);
      assert.ok(
        clear !== undefined &&
          groupOf(clear) === "navigation" &&
          (clear.when ?? "").includes(`tradingRpc.${view}.isFiltered`),
        view,
      );
      assert.ok(
        inTitle.some(({ command }) => command === `tradingRpc.${view}.filter`),
        view,
      );
      assert.deepEqual(
        itemsOf("commandPalette")
          .filter(({ command }) => command === `tradingRpc.${view}.clearFilter`)
          .map(({ when }) => when),
        [`tradingRpc.${view}.isFiltered`],
      );
    }
  });

  test("have a badge for what needs attention alone: frozen protection, unknown outcomes, and fills where they are wanted", () => {
    const writers = fs
      .readdirSync("src/ui", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .filter((file) => /\.badge = |\bsetBadge\(|\bbadgeOf: /.test(fs.readFileSync(`src/ui/${file}`, "utf8")));
    // `resourceView` hands on what a view of a resource counts; `treeView` sets it on the icon.
    assert.deepEqual(writers, [
      "activity/view.ts",
      "kinds/collapsedKinds.ts",
      "orders/fillBadge.ts",
      "tree/resourceView.ts",
      "tree/treeView.ts",
    ]);
    const counted = fs
      .readdirSync("src/ui", { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .filter((file) => fs.readFileSync(`src/ui/${file}`, "utf8").includes("badgeOf: "));
    assert.deepEqual(counted, ["kinds/collapsedKinds.ts"]);
    const group = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false, config: undefined, freeze: undefined };
    assert.equal(frozenBadge([group, group], 0), undefined);
    assert.equal(
      activityHeading({ intents: [], isUnresolvedOnly: false, limit: 1, nowMs: 0, times: createTimes(0) }, undefined)
        .badge,
      undefined,
    );
    assert.equal(
      contributes.configuration
        .flatMap(({ properties }) => Object.entries(properties))
        .find(([name]) => name === "tradingRpc.orders.badgeFills")?.[1].default,
      false,
    );
  });
});

describe("menus of views", () => {
  test("a title has filter and refresh as buttons, and what changes something behind the dots alone", () => {
    const entries = itemsOf("view/title");
    for (const item of entries) {
      assert.match(item.group ?? "", /^(?:navigation|[1-8]_[a-z]+)@\d$/, JSON.stringify(item));
      assert.notEqual(viewOf(item), "", JSON.stringify(item));
      if (/\.(?:refresh|clearFilter)$/.test(item.command ?? ""))
        assert.equal(groupOf(item), "navigation", item.command);
      // What places an order is a form: nothing is sent before it was filled in and confirmed.
      const isForm = withoutTitle(item.command) === "tradingRpc.order.place";
      if (WRITES.has(withoutTitle(item.command)))
        assert.equal(groupOf(item), isForm ? "navigation" : "8_danger", item.command);
    }
    for (const view of VIEW_NAMES) {
      // Those that take turns, on a clause and on its opposite, share a place.
      const places = new Set(
        entries.filter((item) => viewOf(item) === view && groupOf(item) === "navigation").map(({ group }) => group),
      );
      assert.ok(places.size <= 4, `${view}: ${[...places].join(" ")}`);
    }
  });

  test("how orders are arranged stands in a menu of its own", () => {
    const found = submenus.map(({ id, label }) => [id, wordsOf(label)]);
    assert.deepEqual(found, [["tradingRpc.orders.arrange", "Group and Sort"]]);
    assert.deepEqual(
      itemsOf("view/title")
        .filter(({ submenu }) => submenu !== undefined)
        .map((item) => [item.submenu, viewOf(item)]),
      [["tradingRpc.orders.arrange", "orders"]],
    );
    assert.deepEqual(
      itemsOf("tradingRpc.orders.arrange").map(({ command }) => command),
      ["tradingRpc.orders.groupBy", "tradingRpc.orders.sortBy"],
    );
  });

  test("the menus of orders and positions begin with what trades", () => {
    const trades = (view: string, row: string): readonly (string | undefined)[] =>
      itemsOf("view/item/context")
        .filter((item) => viewOf(item) === view && isOn(item, row) && groupOf(item) === "0_trade")
        .sort((one, other) => (one.group ?? "").localeCompare(other.group ?? ""))
        .map(({ command = "" }) => titles.get(command));
    assert.deepEqual(trades("orders", "order.open.cancellable"), [
      "Edit Order…",
      "Cancel Order…",
      "Cancel Selected Orders…",
      "Place Order…",
    ]);
    assert.deepEqual(trades("positions", "position"), ["Close Position…", "Reduce Position…", "Place Order…"]);
  });

  test("a row's menu opens first, copies second, uses third, and what cannot be taken back comes last", () => {
    const groups: readonly [RegExp, string][] = [
      [/\.copy\w*$/, "2_copy"],
      [/\.(?:open)$/, "1_open"],
      [/^tradingRpc\.request\.newFrom\w+$/, "3_use"],
    ];
    for (const item of itemsOf("view/item/context")) {
      const group = groupOf(item);
      assert.match(
        item.group ?? "",
        /^(?:inline|0_trade|1_open|2_copy|3_use|4_[a-z]+|5_[a-z]+|6_[a-z]+|7_edit|8_danger)@\d$/,
        JSON.stringify(item),
      );
      assert.match(item.when ?? "", /^(?:view == tradingRpc\.\w+ && )?viewItem /, item.command);
      if (group === "inline") continue;
      for (const [pattern, place] of groups)
        if (pattern.test(item.command ?? "")) assert.equal(group, place, item.command);
      if (group === "0_trade") continue;
      if (isDestructive(item.command) || /\.(?:forget\w*|reset)$/.test(item.command ?? ""))
        assert.equal(group, "8_danger", item.command);
    }
  });

  test("a row has three buttons at most, and none stands behind one that destroys something", () => {
    for (const view of VIEW_NAMES) {
      const buttons = itemsOf("view/item/context")
        .filter((item) => viewOf(item) === view && groupOf(item) === "inline")
        .sort((one, other) => (one.group ?? "").localeCompare(other.group ?? ""));
      assert.ok(buttons.length <= 3, view);
      // More than one would take the price from beside the pointer where the sidebar is narrow.
      if (buttons.some(({ command }) => isDestructive(command))) assert.equal(buttons.length, 1, view);
    }
    // It is a command of its own, which ignores what is selected.
    assert.deepEqual(
      itemsOf("view/item/context")
        .filter((item) => groupOf(item) === "inline" && isDestructive(item.command))
        .map(({ command }) => command),
      ["tradingRpc.order.cancelRow", "tradingRpc.quote.cancelRow"],
    );
  });

  test("a position whose orders count something unknown has the menu of the others without Close, Reduce, and Add Take Profit or Stop", () => {
    const commands = (row: string): readonly (string | undefined)[] =>
      itemsOf("view/item/context")
        .filter((item) => viewOf(item) === "positions" && isOn(item, row))
        .map(({ command }) => command);
    const [sized, unsized] = ["position", "position.unsized"].map(commands);
    assert.deepEqual(
      sized?.filter((command) => unsized?.includes(command) === false),
      ["tradingRpc.position.close", "tradingRpc.position.reduce", "tradingRpc.position.protect"],
    );
    assert.ok((unsized?.length ?? 0) >= 4);
  });

  test("a row that is not up to date has no button; its menu has what it had", () => {
    for (const [view, row] of [
      ["orders", "order.open.cancellable"],
      ["quotes", "quotes.quote"],
      ["mmp", "mmp.group.frozen"],
      ["apiKeys", "apiKey.listed.known.enabled"],
    ] as const) {
      const items = itemsOf("view/item/context").filter((item) => viewOf(item) === view);
      const count = (kind: string): readonly [inline: number, others: number] => {
        const shown = items.filter((item) => isOn(item, kind));
        const inline = shown.filter((item) => groupOf(item) === "inline").length;
        return [inline, shown.length - inline];
      };
      const [, others] = count(row);
      assert.deepEqual(
        [count(row), count(`${row}.stale`)],
        [
          [1, others],
          [0, others],
        ],
        view,
      );
    }
  });

  test("several selected rows have a command of their own, in the row's menu, and in the palette while several orders are selected", () => {
    for (const noun of ["order", "quote"]) {
      const inMenu = itemsOf("view/item/context").filter(
        ({ command }) => command === `tradingRpc.${noun}.cancelSelected` || command === `tradingRpc.${noun}.cancel`,
      );
      // Each does what it says: the one means its row alone.
      assert.deepEqual(
        inMenu.map(({ command, when = "" }) => [
          command,
          when.includes("listMultiSelection"),
          when.includes("&& listMultiSelection &&"),
        ]),
        [
          [`tradingRpc.${noun}.cancel`, false, false],
          [`tradingRpc.${noun}.cancelSelected`, true, true],
        ],
      );
      assert.deepEqual(
        itemsOf("commandPalette").filter(({ command }) => command === `tradingRpc.${noun}.cancelSelected`),
        [
          {
            command: `tradingRpc.${noun}.cancelSelected`,
            when: "false",
          },
        ],
      );
    }
    assert.deepEqual(
      itemsOf("commandPalette").filter(({ command }) => command === "tradingRpc.order.cancelSelectedFromTitle"),
      [{ command: "tradingRpc.order.cancelSelectedFromTitle", when: "tradingRpc.orders.severalSelected" }],
    );
    assert.ok(
      itemsOf("view/title").some(
        ({ command, when = "" }) =>
          command === "tradingRpc.order.cancelSelectedFromTitle" && when.includes("tradingRpc.orders.severalSelected"),
      ),
    );
    assert.match(
      fs.readFileSync("src/extension.ts", "utf8"),
      /canSelectMany: name === "orders" \|\| name === "quotes",/,
    );
  });

  test("every tree can be closed with one button, and what is loaded by pages has a row for the next one", () => {
    assert.match(fs.readFileSync("src/extension.ts", "utf8"), /showCollapseAll: name !== "start"/);
    for (const command of [
      "tradingRpc.orders.loadMore",
      "tradingRpc.blockTrades.loadMore",
      "tradingRpc.activity.showMore",
    ])
      assert.ok(titles.has(command));
  });
});

test("each setting that is a whole number is in the manifest with its default and its bounds", () => {
  const numbers = contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties).filter(([, { type }]) => type === "integer"),
  );
  const found = numbers.map(([name, { minimum, maximum, default: value }]) => [
    name.slice("tradingRpc.".length),
    { minimum, maximum, default: value },
  ]);
  assert.deepEqual(Object.fromEntries(found), INTEGER_SETTINGS, "src/manifest/settings.ts lacks one");
});

describe("the setting of the chat tools", () => {
  const tools = contributes.languageModelTools.map(({ toolReferenceName, when = "" }) => ({
    reference: toolReferenceName,
    access: /chat\.access != off/.test(when) ? "read" : /== readAndCancel/.test(when) ? "readAndCancel" : "off",
  }));

  test("names everything that the tools of each value read, cancel, or explain", () => {
    const named = (value: string): readonly string[] =>
      (/^[^.]*?(?: of|Read) ([^.]*)\./.exec(wordsOf(`setting.chat.access.${value}`))?.[1] ?? "").split(
        /, and | and | or of |, /,
      );
    for (const text of ["open orders", "positions", "balances"]) assert.ok(named("read").includes(text), text);
    // Balances and margin are what one tool reads.
    for (const [value, extra] of Object.entries({ off: 0, read: 1, readAndCancel: 0 }))
      assert.equal(named(value).length, tools.filter(({ access }) => access === value).length + extra, value);
  });

  test("and the page about them list each tool with its access", () => {
    const page = fs.readFileSync("docs/chat-tools.md", "utf8");
    for (const { reference, access } of tools)
      assert.match(
        page,
        new RegExp(`\\| \`#${reference}\` \\|.*\\| ${access === "off" ? "always" : `\`${access}\``} \\|`),
      );
  });
});
