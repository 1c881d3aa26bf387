import type { Plain } from "../../base/plain.ts";
import type { Conversation } from "./conversation.ts";

/** Something that a bot did wrong. */
export interface BotFinding {
  /** The index of the frame; the number of frames for what showed at the end. */
  readonly at: number;
  /** A sentence about it. */
  readonly detail: Plain;
  /** What was at stake, where an amount of an instrument was. */
  readonly stake?: { readonly instrument: string; readonly amount: number } | undefined;
}

/** What a check found. */
export interface CheckResult {
  /** Whether the bot was in the situation that the check is about. */
  readonly isExercised: boolean;
  readonly findings: readonly BotFinding[];
}

/** A question about the conduct of a bot, decided from its frames and its end. */
export type Check = (conversation: Conversation) => CheckResult;
