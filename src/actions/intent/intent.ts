import type { Changed } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { RequestTransport } from "../../rpc/httpRequest.ts";
import type { OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import type { Fields } from "./fields.ts";

/**
 * The longest time that a confirmed change may wait before the send, over all waits together, in ms. A later send would
 * be a surprise.
 */
export const SEND_WITHIN_MS = 8_000;

/** A request that the user wants to send, with the words of its confirmation. */
export interface Intent {
  readonly method: string;
  /** The parameters: a JSON object, literal for literal as it will be sent. */
  readonly paramsText: string;
  /** The words of the confirmation, made by the intents' own modules, or from the request where there is none. */
  readonly words: IntentWords;
  /**
   * The origin of the intent. The confirmation of a request file has words of its own; a language model's intent is
   * confirmed wherever it is sent. An agent's, of `trading-rpc mcp`, is sent to a simulator alone.
   */
  readonly origin: "view" | "palette" | "requestFile" | "chat" | "agent";
  /**
   * The text to be typed where the policy requires typing: the count, the amount, the key's name. Without it the amount
   * of the parameters, or the connection's name; a view's key change then needs only a confirmation.
   */
  readonly typed?: string;
  /**
   * Whether the row was fired, moved or appeared in the last second, so that the click may have been meant for another
   * row.
   */
  readonly isRecentlyMoved?: boolean;
  /** The orders or quotes that the request cancels without naming them, as known at the confirmation. */
  readonly covers?: readonly CoveredOrder[];
  /**
   * The values of the fields that it changes at the confirmation; undefined where they are unknown, or it changes none.
   */
  readonly before?: Fields;
  /** The filled amount of the order or quote as the user saw it; undefined where it was not shown. */
  readonly filledAsShown?: number;
  /**
   * The time after the confirmation in which the exchange may carry it out, in ms. The gate adds `valid_until`, in the
   * exchange's time; the method has to document it, and `paramsText` to have another member.
   * https://docs.deribit.com/api-reference/trading/private-buy
   */
  readonly validForMs?: number;
  /**
   * Whether `typed` has to be typed wherever it is sent: what it replaces could not be read, or its price is out of the
   * exchange's band.
   */
  readonly isBlind?: true;
  /** Whether the order is passed on to another venue, which fills it after the exchange has acknowledged it. */
  readonly isRouted?: true;
  /**
   * Reads what the server says about the change, for its confirmation: called where there is one, right before it.
   * Never rejects.
   */
  readonly preview?: () => Promise<IntentPreview>;
  /** The transport of the request; left out, the connection's own link. */
  readonly transport?: RequestTransport;
  /**
   * Returns what no longer is as the words describe it; undefined while it still is. Read after the confirmation: what
   * has changed is not sent.
   */
  readonly changedObject?: () => Changed | undefined;
  /** What is read in the last moment before the send, where the words describe an object that others may change. */
  readonly lastLook?: LastLook;
  /**
   * The secrets that the session fills in when it sends, by the name of the parameter. `paramsText` has a stand-in for
   * each, so that nothing that is shown or kept of the intent holds them.
   */
  readonly fills?: ReadonlyMap<string, OneTimeSecret>;
}

/** What was read about a change for its confirmation. */
export interface IntentPreview {
  /** The lines that come before the others. */
  readonly lines: readonly Plain[];
  /** The change in one sentence, where more is known of it than the request says. */
  readonly sentence?: Plain;
  /** The price, where it is beyond the exchange's band: it is typed to confirm. */
  readonly beyondBand?: string;
}

/** A read in the last moment before the send. */
interface LastLook {
  readonly method: string;
  readonly paramsText: string;
  /**
   * Returns what no longer is as the words describe it, by the result of the read. Throws `CallError` where the object
   * is gone.
   */
  readonly changedBy: (result: unknown) => Changed | undefined;
}

export interface CoveredOrder {
  /** The id of an order, or the number of a quote. */
  readonly orderId: string;
  /** The order or quote, in one line. */
  readonly target: string;
}

/** A view that a confirmation is about. */
export type ShownView = "connections" | "orders" | "positions" | "quotes";

export interface IntentWords {
  /** The verb and object as on the button, e.g. "Cancel Order". */
  readonly action: Plain;
  /** The object in one line, identifier and instrument first, e.g. "ETH-PERPETUAL buy 40 @ 2100". */
  readonly target: Plain;
  /**
   * The verb and object as the confirmation says them, e.g. "Cancel ETH-PERPETUAL buy 40 @ 2100"; made of both when
   * left out.
   */
  readonly sentence?: Plain;
  /** A sentence in every form of the confirmation: what else it does, how long it takes. */
  readonly note?: Plain;
  /** The further lines of the confirmation: id, label, filled amount, age. */
  readonly detail: readonly Plain[];
  /**
   * Whether `detail` has no room for all that is sent: then the confirmation shows the whole request before anything
   * else.
   */
  readonly isCut?: true;
  /** The button that declines, e.g. "Keep Order". */
  readonly keep: Plain;
  /** The harmless first button for several objects, e.g. "Show Orders". */
  readonly show?: Plain;
  /** The view that this button shows; left out, the orders. */
  readonly about?: ShownView;
}

/** Returns the intent in one text: its sentence, or verb and object. The words may come from a journal. */
export function wishText({ sentence, action, target }: WishWords): Plain {
  return sentence === undefined ? l10n.t("{0}: {1}", plain.text(action), plain.text(target)) : plain.text(sentence);
}

/** The words of an intent, or of a record of one. */
interface WishWords {
  readonly action: string;
  readonly target: string;
  readonly sentence?: string;
}

/** Returns the warning of a confirmation whose change may have been made by an earlier attempt. */
export function earlierUnknownText(): Plain {
  return l10n.t("The outcome of an earlier attempt is unknown. The change may already have been made.");
}
