import * as fs from "node:fs";
import * as path from "node:path";
import type { Key } from "./client.ts";
import type { Messages } from "./script.ts";

/** An order of a book. */
export interface SampleOrder {
  readonly id: string;
  readonly instrument: string;
  /** Side, amount and price as a row shows them. */
  readonly terms: string;
  /** What its row says beside its terms. */
  readonly marks?: string;
}

/**
 * The messages that the conversations are made of, and the facts about them that the tests compare. The same
 * conversations are played with two books: the project's own, written from the core specification, and the exchange's
 * recorded messages (test/recorded).
 */
export interface Book {
  readonly messages: Messages;
  /** Names of all messages. */
  readonly files: readonly string[];
  /** The key of public_auth.request.json. */
  readonly key: Key;
  /** The tokens of public_auth.response.connection.json, a grant that lives for a year on production. */
  readonly connection: { readonly token: string; readonly refreshToken: string };
  /** The tokens of public_auth.response.session.json, a grant that lives for 899 s on testnet. */
  readonly session: { readonly token: string; readonly refreshToken: string };
  /** The connection's grant, as the script's line of a source, with the scopes of all ten methods. */
  readonly wholeGrant: string;
  /** The response of private/subscribe, as if it were about all orders. */
  readonly subscribed: string;
  /** A renewal of the session's grant with the same scopes, by messages of production. */
  readonly renewed: string;
  /** Another renewal of the session's grant with the same scopes, and its token. */
  readonly renewedQuietly: { readonly source: string; readonly token: string };
  /** The limits of the account replaced by 100 credits, refilled by 20 a second. */
  readonly smallLimits: string;
  /** The order of private_get_open_orders.response.json. */
  readonly listed: SampleOrder;
  /** An open order, as a part of a message. */
  readonly placed: SampleOrder & { readonly part: string };
  /** What private_cancel.response.cancelled.json says of the same order, and times of that change. */
  readonly cancelled: { readonly terms: string; readonly updated: string; readonly before: string };
  /** The untriggered order of private_cancel.response.json. */
  readonly stop: SampleOrder & { readonly trigger: string };
  /** An untriggered order without filled_amount, as a part of a message. */
  readonly unfilledStop: Omit<SampleOrder, "id"> & { readonly part: string; readonly trigger: string };
  /** The order of channel.user.orders.any.any.raw.json. */
  readonly pushed: SampleOrder & { readonly amount: string; readonly updated: string };
  /** The data of error.invalid_params.json. */
  readonly invalidParams: { readonly reason: string; readonly param: string };
  /** The reason of error.invalid_params.http400.json. */
  readonly badNameReason: string;
  /** The only response that lacks the version. */
  readonly withoutVersion: string;
}

/** The name of an order as sentences use it. */
export function nameOf({ instrument, terms }: Pick<SampleOrder, "instrument" | "terms">): string {
  return `${instrument} ${terms}`;
}

/** Returns the name of the instrument as a row has it, where room is scarce. */
export function shortName(instrument: string): string {
  return instrument.replace(/-PERPETUAL$/, "-PERP");
}

/** Returns what a row says beside its name, without what is empty. */
export function joinedMarks(...marks: readonly (string | undefined)[]): string {
  return marks.filter((mark) => mark !== undefined && mark !== "").join(" · ");
}

/** Returns the row of an open order: its name comes first where a sidebar of 300 px has room for it and the terms. */
export function rowOf({ instrument, terms }: Pick<SampleOrder, "instrument" | "terms">, marks = ""): string {
  const name = shortName(instrument);
  const first = nameOf({ instrument: name, terms });
  return first.length <= 28 ? `${first} | ${marks}` : `${terms} | ${joinedMarks(name, marks)}`;
}

/** Files of a folder as messages; `aliases` gives other names to some. A folder that is absent has no messages. */
export function readBook(
  folder: string,
  aliases: Readonly<Record<string, string>> = {},
): Pick<Book, "messages" | "files"> {
  const files = fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((file) => file.endsWith(".json"))
        .sort()
    : [];
  return { files, messages: (file) => fs.readFileSync(path.join(folder, aliases[file] ?? file), "utf8").trimEnd() };
}
