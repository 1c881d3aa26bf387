import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import { plain } from "../../../src/base/plain.ts";
import type { Row, RowTree } from "../../../src/present/rows/row.ts";
import {
  compactText,
  digitsText,
  numberText,
  shortMoneyText,
  shortPriceText,
  signedText,
  sumText,
} from "../../../src/present/text/numbers.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Snapshot } from "../../../src/state/snapshot.ts";
import { headingsOf, shownOf, viewsOf } from "../../everyView.ts";
import { MAIN_ACCOUNT } from "../commands.ts";
import type { Stage } from "../stage.ts";
import { START_MS } from "../time.ts";
import { createAccountStore } from "../../../src/state/account.ts";

/*
 * Says what is wrong with the Positions and Account views. It knows what the exchange answers to a fresh reading, what
 * it wrote and when, and what stands on the screen; it does not look into the stores that it judges.
 */

type Members = Readonly<Record<string, unknown>>;

/** A fresh reading, as the exchange answers it at a moment at which nothing changes. */
export interface FreshReading {
  readonly positions: readonly Members[];
  readonly summaries: readonly Members[];
  /** The account itself: what stands beside the summaries. */
  readonly profile: Members;
  /** The accounts of the owner; undefined where the exchange does not list them to the account that asks. */
  readonly owned: readonly Members[] | undefined;
}

export interface AccountJudge {
  readonly violations: readonly string[];
  /** What occurred, for the table of coverage. */
  readonly seen: ReadonlySet<string>;
  /** The mark prices of positions that stood on the screen. */
  readonly marks: ReadonlySet<string>;
  complain(text: string): void;
  /** The exchange has written a text for the client. */
  onWritten(text: string): void;
  /** A text has reached the client. */
  onArrival(text: string): void;
  /** What holds positions has changed without an event about it: until the next reading, an event may contradict it. */
  onMoved(): void;
  /** After each step: nothing is older than the age that stands beside it, and nothing is another account's. */
  look(): void;
  /** Holds what stands on the screen as live against a fresh reading; `isRefreshed`: all of it, whatever its age. */
  compare(fresh: FreshReading, when: string, isRefreshed: boolean): void;
}

/** Each row with its members, as texts. */
interface ShownRow {
  readonly row: Row;
  readonly fields: ReadonlyMap<string, string>;
  readonly below: readonly ShownRow[];
}

/** So long an event that was sent before a change without one may stand: until the next reading has come. */
const UNTOLD_MS = 60_000;
/** The pause between two readings of the marks. */
const MARKS_MS = 5000;
const TIMES = createTimes(0);

/**
 * Whether a heading has the age of positions. A list that is not up to date any more is as of the end of its link,
 * unless a reading of its marks was overdue.
 */
function isAsOf(heading: string, { status, readAtMs = 0 }: Pick<Snapshot<unknown>, "status" | "readAtMs">): boolean {
  const latestMs = status === "stale" ? readAtMs + 2 * MARKS_MS : readAtMs;
  const [, shown = ""] = /as of (\d\d:\d\d:\d\d)/.exec(heading) ?? [];
  return TIMES.clock(readAtMs) <= shown && shown <= TIMES.clock(latestMs);
}

export function createAccountJudge(stage: Stage, laterMs: number): AccountJudge {
  const violations: string[] = [];
  const seen = new Set<string>();
  const marks = new Set<string>();
  /** When the exchange wrote a figure last, on the time line, by owner, name, and value. */
  const written = new Map<string, number>();
  let movedAtMs = -Infinity;
  const { live, time } = stage;
  const journal = createMemoryJournal();
  const complain = (text: string): void => {
    if (violations.length < 5) violations.push(text);
  };
  const note = (owner: string, members: Members): void => {
    for (const [name, value] of Object.entries(members))
      written.set(figure(owner, name, textOf(value)), time.elapsedMs);
  };
  const noteAll = (value: unknown, isOnlyMoney: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    const members = value as Members;
    if ("security_keys_assignments" in members) {
      const owner = `account ${String(members["id"])}`;
      note(owner, members);
      for (const each of Object.values((members["portfolio"] ?? {}) as Members))
        note(`${owner} ${String((each as Members)["currency"])}`, each as Members);
      return;
    }
    if ("open_orders_margin" in members && !isOnlyMoney)
      note(`position ${String(members["instrument_name"])}`, members);
    if ("margin_balance" in members) note(`currency ${String(members["currency"])}`, members);
    for (const each of Object.values(members)) noteAll(each, isOnlyMoney);
  };
  /** Complains about each figure that the exchange wrote last before a moment that the screen gives as its age. */
  const checkAge = (owner: string, { row, fields }: ShownRow, readAtMs: number | undefined): void => {
    if (stage.isHttpOnly || readAtMs === undefined) return;
    // The screen has seconds.
    const shownMs = Math.floor(readAtMs / 1000) * 1000 - START_MS - laterMs;
    seen.add(`age of ${owner.split(" ")[0] ?? ""}`);
    for (const [name, text] of fields) {
      const atMs = written.get(figure(owner, name, text));
      if (atMs === undefined || atMs < shownMs)
        complain(
          `${row.label}: ${name} ${text} is as of ${TIMES.clock(readAtMs)}, and was written ${atMs === undefined ? "never" : `${String(shownMs - atMs)} ms before`}`,
        );
    }
  };
  /** What was looked at last, so that nothing is looked at two times. */
  const looked = new Map<string, unknown>();
  const isNew = (what: string, snapshot: unknown): boolean => {
    const isOther = looked.get(what) !== snapshot;
    looked.set(what, snapshot);
    return isOther;
  };
  const lookAtPositions = (screen: Screen): void => {
    const { snapshot } = live.positions;
    if (!isNew("positions", snapshot)) return;
    const { positions, headings } = screen;
    if (positions.length > 0 && !isAsOf(headings.positions, snapshot))
      complain(`positions are shown beside "${headings.positions}" and were read at ${String(snapshot.readAtMs)}`);
    for (const { row, fields } of positions) marks.add(`${row.objectId ?? ""} ${fields.get("mark_price") ?? ""}`);
    if (time.elapsedMs - movedAtMs <= UNTOLD_MS) return;
    for (const each of positions) checkAge(`position ${each.row.objectId ?? ""}`, each, snapshot.readAtMs);
  };
  const lookAtMoney = (screen: Screen): void => {
    const { snapshot } = live.storeOf(createAccountStore);
    if (!isNew("account", snapshot)) return;
    const { headings } = screen;
    if (headings.account.includes("as of"))
      for (const each of screen.currencies) checkAge(`currency ${each.row.objectId ?? ""}`, each, snapshot.readAtMs);
    const shown = screen.profile?.fields.get("id");
    const known = live.state.status === "ready" ? String(live.state.identity.subject?.id ?? MAIN_ACCOUNT) : undefined;
    if (known !== undefined && shown !== undefined && headings.account.endsWith("live") && shown !== known)
      complain(`account ${shown} is shown as live while the session is that of ${known}`);
  };
  const lookAtAccounts = (screen: Screen): void => {
    const { owned } = live.storeOf(createAccountStore);
    if (!isNew("owned", owned)) return;
    for (const each of screen.owned) {
      const account = each.row.objectId ?? "";
      checkAge(account, each, owned.readAtMs);
      for (const part of each.below) checkAge(`${account} ${part.fields.get("currency") ?? ""}`, part, owned.readAtMs);
    }
  };

  return {
    violations,
    seen,
    marks,
    complain,
    onWritten: (text) => {
      if (text.includes("_margin")) noteAll(parsed(text), false);
    },
    onArrival: (text) => {
      // What is pushed is as new as its arrival, where nothing else gives its age.
      if (text.includes("user.portfolio")) noteAll(parsed(text), true);
    },
    onMoved: () => {
      movedAtMs = time.elapsedMs;
    },
    look() {
      const screen = createScreen(stage, journal);
      lookAtPositions(screen);
      lookAtMoney(screen);
      lookAtAccounts(screen);
    },
    compare(fresh, when, isRefreshed) {
      const shown = createScreen(stage, journal);
      const difference = (what: string, one: string, other: string): void => {
        if (one !== other) complain(`${when}: ${what}\nis shown as ${one}\nand is       ${other}`);
      };
      if (live.positions.snapshot.status === "live") {
        seen.add(`compared positions ${isRefreshed ? "after a refresh" : "in a calm"}`);
        comparePositions(shown, fresh.positions, difference);
      }
      if (live.storeOf(createAccountStore).snapshot.status !== "live") return;
      seen.add(`compared account ${isRefreshed ? "after a refresh" : "in a calm"}`);
      compareCurrencies(shown, fresh.summaries, difference);
      if (!isRefreshed) return;
      difference("the account itself", fieldsText(shown.profile?.fields), fieldsText(fieldsOf(fresh.profile)));
      // An account that lists itself alone has no list.
      if (fresh.owned !== undefined && fresh.owned.length > 1) compareOwned(shown, fresh.owned, difference);
    },
  };
}

type Difference = (what: string, shown: string, is: string) => void;

function comparePositions(screen: Screen, fresh: readonly Members[], difference: Difference): void {
  const held = fresh.filter(({ size }) => size !== 0);
  const { positions, groups } = screen;
  difference(
    "the list of positions",
    names(positions.map(({ row }) => row.objectId ?? "")),
    names(held.map((each) => String(each["instrument_name"]))),
  );
  for (const each of held) {
    const name = String(each["instrument_name"]);
    const shown = positions.find(({ row }) => row.objectId === name);
    const told = String(shown?.row.description).split(" · ");
    // What a narrow row has room for besides is not compared.
    const marks = told.filter((mark) => !/ → |^expires /.test(mark)).join(" · ");
    difference(`the row of ${name}`, `${String(shown?.row.label)} | ${marks}`, rowOf(each));
    difference(`the members of ${name}`, fieldsText(shown?.fields), fieldsText(fieldsOf(each)));
  }
  difference(
    "the groups of positions",
    names(groups.map(({ label, description }) => `${label} | ${description}`)),
    names(groupsOf(fresh)),
  );
}

/** The row of a position: what it holds, what it has brought, and where it would be liquidated. */
function rowOf(position: Members): string {
  const [name, profit] = [String(position["instrument_name"]), profitOf(position)];
  const isLinear = position["kind"] === "future" && name.includes("_");
  const size = Number(position[isLinear ? "size_currency" : "size"]);
  const side = size > 0 ? "long" : "short";
  const isOption = position["kind"] === "option" && name.startsWith(`${settlementOf(name)}-`);
  const shortName = isOption ? name.slice(name.indexOf("-") + 1) : name.replace("-PERPETUAL", "-PERP");
  const label = `${shortName} ${side} ${compactText(Math.abs(size))}`;
  return `${label} | ${signedText(profit, shortMoneyText)}${liquidationOf(position)}`;
}

/** The estimated liquidation price and how far it is from the mark price; nothing where there is none. */
function liquidationOf(position: Members): string {
  const [price, mark] = [position["estimated_liquidation_price"], Number(position["mark_price"])];
  if (typeof price !== "number") return "";
  const share = Math.round((price / mark - 1) * 100);
  return ` · liq ${shortPriceText(price)} (${signedText(share, numberText)} %)`;
}

function groupsOf(positions: readonly Members[]): readonly string[] {
  const currencies = new Set(positions.map((each) => settlementOf(String(each["instrument_name"]))));
  return [...currencies].map((currency) => {
    const all = positions.filter((each) => settlementOf(String(each["instrument_name"])) === currency);
    const held = all.filter(({ size }) => size !== 0);
    const sum = Number(sumText(held.map(profitOf)));
    return [
      `${currency} | ${held.length === 0 ? "" : `${signedText(sum, shortMoneyText)} · `}${String(held.length)} position${held.length === 1 ? "" : "s"}`,
      ...(held.length === all.length ? [] : [`${String(all.length - held.length)} closed`]),
    ].join(" · ");
  });
}

function profitOf(position: Members): number {
  return Number(position["total_profit_loss"]);
}

/** Of the instruments of the simulator: linear ones name the currency of their settlement. */
function settlementOf(name: string): string {
  return /_([A-Z]+)/.exec(name)?.[1] ?? name.split("-")[0] ?? "";
}

function compareCurrencies(screen: Screen, fresh: readonly Members[], difference: Difference): void {
  const { currencies } = screen;
  difference(
    "the list of currencies",
    names(currencies.map(({ row }) => row.objectId ?? "")),
    names(fresh.map(({ currency }) => String(currency))),
  );
  for (const each of fresh) {
    const currency = String(each["currency"]);
    const shown = currencies.find(({ row }) => row.objectId === currency);
    difference(
      `the row of ${currency}`,
      `${String(shown?.row.label)} | ${String(shown?.row.description)
        .split(" · ")
        .filter((mark) => /^(available|margin) /.test(mark))
        .join(" · ")}`,
      `${currency} ${shortMoneyText(Number(each["equity"]))} | ${[`available ${shortMoneyText(Number(each["available_funds"]))}`, ...useOf(each)].join(" · ")}`,
    );
    difference(`the members of ${currency}`, fieldsText(shown?.fields), fieldsText(fieldsOf(each)));
  }
}

/** The use of margin, from half of the margin balance on. */
function useOf(summary: Members): readonly string[] {
  const base = Number(summary["margin_balance"]);
  const percent = (Math.max(Number(summary["initial_margin"]), Number(summary["maintenance_margin"])) / base) * 100;
  return base > 0 && percent > 50 ? [`margin ${percent.toFixed(percent < 100 ? 1 : 0)} %`] : [];
}

function compareOwned(screen: Screen, fresh: readonly Members[], difference: Difference): void {
  const { owned } = screen;
  difference(
    "the list of accounts",
    names(owned.map(({ row }) => row.label)),
    names(fresh.map(({ username }) => String(username))),
  );
  for (const { portfolio = {}, ...rest } of fresh) {
    const shown = owned.find(({ row }) => row.label === rest["username"]);
    difference(`the members of account ${String(rest["id"])}`, fieldsText(shown?.fields), fieldsText(fieldsOf(rest)));
    for (const each of Object.values(portfolio as Members)) {
      const currency = String((each as Members)["currency"]);
      const part = shown?.below.find(({ fields }) => fields.get("currency") === currency);
      difference(
        `${currency} of account ${String(rest["id"])}`,
        fieldsText(part?.fields),
        fieldsText(fieldsOf(each as Members)),
      );
    }
  }
}

/** The content of the two views, as far as VS Code asks for it. */
interface Screen {
  readonly headings: { readonly positions: string; readonly account: string };
  /** The settlement currencies. */
  readonly groups: readonly Row[];
  readonly positions: readonly ShownRow[];
  readonly currencies: readonly ShownRow[];
  readonly profile: ShownRow | undefined;
  readonly owned: readonly ShownRow[];
}

function createScreen(stage: Stage, journal: ReturnType<typeof createMemoryJournal>): Screen {
  const all = [shownOf({ live: stage.live, clock: stage.client.clock, journal })];
  const { positions, account } = viewsOf(all);
  const roots = (): readonly Row[] => account.children(undefined);
  const below = (context: string): readonly Row[] =>
    roots().flatMap((row) => (row.contextValue === context ? account.children(row.id) : []));
  return {
    get headings() {
      const headings = headingsOf(all);
      return { positions: headings.positions.description, account: headings.account.description };
    },
    get groups() {
      return positions.children(undefined).filter(({ contextValue }) => contextValue.startsWith("positions."));
    },
    get positions() {
      return this.groups.flatMap((group) => positions.children(group.id)).map((row) => readRow(positions, row));
    },
    get currencies() {
      return [...roots(), ...below("account.empty")]
        .filter(({ contextValue }) => contextValue === "account.currency")
        .map((row) => readRow(account, row));
    },
    get profile() {
      const profile = roots().find(({ contextValue }) => contextValue === "account.profile");
      return profile && readRow(account, profile);
    },
    get owned() {
      return below("account.owned").map((row) => readRow(account, row));
    },
  };
}

function readRow(tree: RowTree, row: Row): ShownRow {
  const children = tree.children(row.id);
  const all = children.find(({ contextValue }) => contextValue === "fields");
  return {
    row,
    fields: new Map(
      (all === undefined ? children : tree.children(all.id))
        .filter(({ contextValue }) => contextValue === "field")
        .map(({ label, copyText }) => [label, copyText] as const),
    ),
    below: children.filter(({ contextValue }) => contextValue === "account.part").map((each) => readRow(tree, each)),
  };
}

/** Returns undefined for a text that a fault has cut off: it can't be shown. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function figure(owner: string, name: string, text: string): string {
  return `${owner} ${name} ${text}`;
}

function fieldsOf(members: Members): ReadonlyMap<string, string> {
  return new Map(Object.entries(members).map(([name, value]) => [plain.name(name), textOf(value)]));
}

/** A value as it is copied from its row. */
function textOf(value: unknown): string {
  if (typeof value === "number") return digitsText(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fieldsText(fields: ReadonlyMap<string, string> | undefined): string {
  return [...(fields ?? [])]
    .map(([name, text]) => `${name}=${text}`)
    .sort()
    .join(" ");
}

function names(all: readonly string[]): string {
  return [...all].sort().join(", ");
}
