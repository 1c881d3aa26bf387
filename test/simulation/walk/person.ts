import type { Random } from "../../../src/base/clock.ts";
import { FOLDER, QuickInputButtons, QuickPickItemKind, Uri, type Asked } from "./editor.ts";

/** A user who answers every dialog at random. */
export interface Person {
  /** Answers one question; hands out what was done, in words. */
  answer(asked: Asked): Promise<string>;
  one<T>(list: readonly T[]): T | undefined;
  chance(share: number): boolean;
}

export interface PersonPorts {
  readonly random: Random;
  /** Ids and names that are on the screen. */
  readonly seen: () => readonly string[];
  /** What has to be typed to sign in. */
  readonly secrets: readonly string[];
}

const TEXTS: readonly string[] = [
  ...[
    "",
    " ",
    "0",
    "1",
    "-1",
    "10",
    "24",
    "5000",
    "0.5",
    "1e400",
    "999999999999",
    "abc",
    "null",
    "{}",
    "[1]",
    "123456",
    "000000",
    "desk",
    "simulator",
    "Simulator",
    "\u202Eabc",
    "😀",
    "a]b",
    "x".repeat(300),
  ],
  ...[
    "BTC-PERPETUAL",
    "ETH-PERPETUAL",
    "BTC",
    "eth",
    "account:read trade:read_write",
    "127.0.0.1",
    "10.0.0.0/8",
    "2026-11-20",
    "2026-11-20 10:00",
    "1h",
    "now",
  ],
  ...[
    "ws://127.0.0.1:7001/ws/api/v2",
    "http://127.0.0.1:7001",
    "ws://127.0.0.1:9001/ws/api/v2",
    "wss://test.deribit.com/ws/api/v2",
    "https://exchange.example/api/v2",
    "wss://",
    "ftp://x",
    "wss://user:pw@host/",
  ],
];

const FILES: readonly (string | undefined)[] = [
  undefined,
  `${FOLDER}/saved.json`,
  `${FOLDER}/walk.rpc.json`,
  "/nowhere/at/all.json",
];

export function createPerson({ random, seen, secrets }: PersonPorts): Person {
  const chance = (share: number): boolean => random() < share;
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const text = (): string => (chance(0.3) ? one(seen()) : chance(0.3) ? one(secrets) : one(TEXTS)) ?? "";
  const pick = (asked: Extract<Asked, { kind: "pick" }>): string => {
    const items = asked.items.filter(
      (item) => (item as { readonly kind?: number }).kind !== QuickPickItemKind.Separator,
    );
    const item = one(items) as { readonly label?: string; readonly buttons?: readonly unknown[] } | undefined;
    if (chance(0.12)) {
      asked.hide();
      return "Escape";
    }
    if (asked.buttons.includes(QuickInputButtons.Back) && chance(0.1)) {
      asked.press(QuickInputButtons.Back);
      return "Back";
    }
    if (chance(0.1)) {
      const typed = text();
      asked.type(typed);
      return `typed ${JSON.stringify(typed)}`;
    }
    const button = one(item?.buttons ?? []);
    if (button !== undefined && chance(0.3)) {
      asked.pressOf(button, item);
      return `button of ${item?.label ?? ""}`;
    }
    const chosen = asked.isMany ? items.filter(() => chance(0.4)) : item === undefined ? [] : [item];
    asked.accept(chosen);
    return `chose ${chosen.map((each) => (each as { readonly label?: string }).label).join(", ")}`;
  };
  /** What is asked to be typed exactly stands in the prompt. */
  const wanted = async (asked: Extract<Asked, { kind: "input" }>): Promise<string | undefined> => {
    const words = asked.text.split(/[\s:“”"']+/).map((word) => word.replace(/[.,]$/, ""));
    for (let start = 0; start < words.length; start++) {
      for (let end = words.length; end > start && end - start < 7; end--)
        if (!(await asked.problemOf(words.slice(start, end).join(" ")))) return words.slice(start, end).join(" ");
    }
    return undefined;
  };
  const input = async (asked: Extract<Asked, { kind: "input" }>): Promise<string> => {
    if (chance(0.12)) {
      asked.hide();
      return "Escape";
    }
    if (asked.buttons.includes(QuickInputButtons.Back) && chance(0.1)) {
      asked.press(QuickInputButtons.Back);
      return "Back";
    }
    const button = one(asked.buttons.filter((each) => each !== QuickInputButtons.Back));
    if (button !== undefined && chance(0.2)) {
      asked.press(button);
      return `button ${(button as { readonly tooltip?: string }).tooltip ?? ""}`;
    }
    const typed = chance(0.35)
      ? asked.value
      : ((/exactly|Type /.test(asked.text) && chance(0.6) ? await wanted(asked) : undefined) ?? text());
    asked.accept(typed);
    return `entered ${JSON.stringify(typed.slice(0, 80))}`;
  };
  return {
    one,
    chance,
    async answer(asked) {
      switch (asked.kind) {
        case "pick":
          return pick(asked);
        case "input":
          return await input(asked);
        case "message": {
          // The first button is mostly the one that goes on.
          const button = chance(0.5) ? asked.buttons[0] : one([...asked.buttons, undefined]);
          asked.choose(button);
          return `pressed ${typeof button === "string" ? button : ((button as { readonly title?: string } | undefined)?.title ?? "Escape")}`;
        }
        case "file": {
          const path = one(FILES);
          asked.choose(path === undefined ? undefined : Uri.file(path));
          return `file ${path ?? "Escape"}`;
        }
      }
    },
  };
}
