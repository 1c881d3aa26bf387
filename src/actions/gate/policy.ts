import type { Effect } from "../../catalogue/index.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isRealMoney, type Environment } from "../../state/records.ts";
import { environmentWords } from "../intent/connectionNames.ts";
import { aboutOf, channelMethod, whyNotSent } from "../changes/changes.ts";
import type { Members } from "../intent/fields.ts";
import { typedTextOf, type TypedText } from "../changes/typedText.ts";
import { earlierUnknownText, wishText, type Intent } from "../intent/intent.ts";
import type { Question, Unsized } from "../intent/question.ts";

/** The facts that decide whether an intent is sent, confirmed or refused. */
export interface PolicyInput {
  readonly intent: Intent;
  /** The effect of the intent; several reductions at once are `mass`. */
  readonly effect: Effect;
  readonly environment: Environment;
  readonly connectionName: string;
  /** Whether "Allow Changes…" is in force for this change; matters on production only. */
  readonly areChangesAllowed: boolean;
  /** Whether it is in force for cancels alone, and this is not a cancel. */
  readonly areCancelsAllowed?: boolean;
  /** Whether it is made of cancels alone, of any number. */
  readonly areCancels?: boolean;
  /** Why nothing tells how large it is: then the connection's name is typed wherever it is sent. */
  readonly unsized?: Unsized | undefined;
  readonly settings: SafetySettings;
  /** Whether the outcome of an earlier write on the same object is unknown. */
  readonly isEarlierUnknown: boolean;
}

/** Whether users may allow trading, by the setting. */
export type TradingSetting = "ask" | "never";

export interface SafetySettings {
  /** The setting for single writes. `production`: cancelling a single order needs a confirmation on production only. */
  readonly confirmCancel: "always" | "productionOnly";
  /** The duration of "Allow Changes…", in minutes. */
  readonly allowChangesMinutes: number;
  /** Whether users may allow trading (default: `ask`). */
  readonly allowTrading?: TradingSetting;
}

export type Decision =
  | { readonly kind: "send" }
  /**
   * The confirmations that are all needed, in this order. `allowsCancels`: the yes also opens production for further
   * cancels.
   */
  | { readonly kind: "ask"; readonly questions: readonly Question[]; readonly allowsCancels: boolean }
  /** A refusal. `reason` is a sentence. */
  | { readonly kind: "refuse"; readonly reason: string };

type Column = "simulator" | "test" | "production" | "readOnly";

type Rule =
  | "send"
  | "ask"
  /** A confirmation, unless the user has switched it off for single writes. */
  | "askUnlessOff"
  /** One confirmation that also allows further cancels. */
  | "askAndAllow"
  /** A confirmation by typing. */
  | "type"
  /** A confirmation, and typing where something can be lost. */
  | "askThenType"
  | "refuseReadOnly";

/**
 * The decision table: the rule for an effect in an environment. Requests of `session` are not sent, or need a
 * confirmation.
 */
const RULES: Readonly<Record<Exclude<Effect, "session">, Readonly<Record<Column, Rule>>>> = {
  read: { simulator: "send", test: "send", production: "send", readOnly: "send" },
  reduce: { simulator: "send", test: "askUnlessOff", production: "ask", readOnly: "askAndAllow" },
  write: { simulator: "ask", test: "ask", production: "ask", readOnly: "refuseReadOnly" },
  mass: { simulator: "ask", test: "ask", production: "type", readOnly: "refuseReadOnly" },
  key: { simulator: "ask", test: "ask", production: "askThenType", readOnly: "refuseReadOnly" },
  money: { simulator: "ask", test: "ask", production: "type", readOnly: "refuseReadOnly" },
};

/** Returns whether an intent is sent, confirmed (in which words) or refused. */
export function decide(input: PolicyInput): Decision {
  const refusal = whyNotSent(input.intent.method, input.effect);
  if (refusal !== undefined) return { kind: "refuse", reason: refusal };
  switch (input.effect === "session" ? "ask" : ruleOf(input.effect, input)) {
    case "send":
      return input.isEarlierUnknown ? ask(input, [modal(input)]) : { kind: "send" };
    case "askUnlessOff":
      return isAskingOff(input) ? { kind: "send" } : ask(input, [modal(input)]);
    case "ask":
      return ask(input, [
        modal(input),
        ...(input.intent.isBlind === true ? [typed(input)] : []),
        ...unsizedQuestions(input),
      ]);
    case "askAndAllow":
      return { kind: "ask", questions: [allowingModal(input)], allowsCancels: true };
    case "type":
      return ask(input, [...typedQuestions(input), ...unsizedQuestions(input)]);
    case "askThenType":
      return ask(input, losesNothing(input.intent) ? [modal(input)] : [modal(input), typed(input)]);
    case "refuseReadOnly":
      return { kind: "refuse", reason: readOnlySentence(input) };
  }
}

/** Returns the confirmation by the connection's name of a change of which nothing tells how large it is. */
function unsizedQuestions(input: PolicyInput): readonly Question[] {
  if (input.unsized === undefined) return [];
  const text = { text: input.connectionName, hint: l10n.t("the connection name") };
  return [{ ...typed(input, text), unsized: input.unsized }];
}

/** Returns the confirmations by typing. A dialog comes first for what a prompt has no room for. */
function typedQuestions(input: PolicyInput): readonly Question[] {
  const shown = hasRoom(input) ? [] : [modal(input)];
  // A count or an amount says nothing of a request that is not understood whole: its own confirmation follows.
  return input.unsized !== undefined ? [modal(input)] : [...shown, typed(input)];
}

/** Whether a prompt has room for the details. It has no button that shows a request, and few lines. */
function hasRoom(input: PolicyInput): boolean {
  return input.intent.words.isCut !== true && promptDetail(input).length <= MAX_PROMPT_DETAIL;
}

/** Returns the details as a prompt shows them. Those of a view's mass change are many, and stand in the view. */
function promptDetail({ effect, intent: { origin, words } }: PolicyInput): Plain {
  if (effect === "mass" && origin !== "requestFile") return "";
  return plain.join(
    words.detail.map((line) => plain.text(line)),
    " · ",
  );
}

/** The most characters of details that a prompt has room for: about four lines. */
const MAX_PROMPT_DETAIL = 300;

/**
 * Returns the rule for an intent. A language model opens nothing: its intents need a confirmation, on the simulator
 * too, and are refused where changes are not allowed.
 */
function ruleOf(effect: Exclude<Effect, "session">, input: PolicyInput): Rule {
  const rule = RULES[isWayOut(effect, input) ? "reduce" : effect][columnOf(input)];
  if (input.intent.origin !== "chat" || effect === "read") return rule;
  if (rule === "askAndAllow") return "refuseReadOnly";
  return rule === "send" || rule === "askUnlessOff" ? "ask" : rule;
}

/**
 * Whether several cancels are confirmed like one: in one step, where production takes nothing else. They open it for
 * themselves, and a second attempt is not harder than the first.
 */
function isWayOut(effect: Effect, input: PolicyInput): boolean {
  const takesNothingElse = columnOf(input) === "readOnly" || input.areCancelsAllowed === true;
  return effect === "mass" && input.areCancels === true && isRealMoney(input.environment) && takesNothingElse;
}

/**
 * Whether the gate asks before it sends a single change of a request file, or refuses it: not where a cancel is sent at
 * once.
 */
export function isConfirmed(
  effect: Effect,
  environment: Environment,
  { confirmCancel }: Pick<SafetySettings, "confirmCancel">,
): boolean {
  if (effect === "session") return true;
  const rule = RULES[effect][isRealMoney(environment) ? "production" : environment];
  return rule !== "send" && (rule !== "askUnlessOff" || confirmCancel === "always");
}

/** Returns the confirmation of "Allow Changes…". */
export function allowChangesQuestion(
  input: Pick<PolicyInput, "environment" | "connectionName" | "settings">,
): Question {
  return {
    kind: "modal",
    message: l10n.t("Allow changes on {0} for {1}?", where(input), windowText(input.settings)),
    detail: l10n.t("Each change still needs confirmation. Disconnecting or Disallow Changes ends this earlier."),
    confirm: l10n.t("Allow Changes"),
    keep: l10n.t("Keep Read-Only"),
  };
}

function columnOf(input: PolicyInput): Column {
  if (!isRealMoney(input.environment)) return input.environment;
  return input.areChangesAllowed ? "production" : "readOnly";
}

/**
 * Whether the confirmation is switched off. A click that may have hit the wrong row, and a repetition while the outcome
 * is unknown, always need one.
 */
function isAskingOff(input: PolicyInput): boolean {
  const isOff = input.settings.confirmCancel === "productionOnly";
  return isOff && input.intent.isRecentlyMoved !== true && !input.isEarlierUnknown;
}

/**
 * Whether nothing can be lost. A view's intent says by `typed` that something can be; the losses of a file's change are
 * unknown.
 */
function losesNothing(intent: Intent): boolean {
  return intent.typed === undefined && intent.origin !== "requestFile";
}

function ask(input: PolicyInput, questions: readonly Question[]): Decision {
  return { kind: "ask", questions: questions.map((question) => withMarks(input, question)), allowsCancels: false };
}

function where(input: Pick<PolicyInput, "environment" | "connectionName">): Plain {
  return environmentWords(input.environment, input.connectionName);
}

function sentenceOf(intent: Intent): Plain {
  return plain.text(wishText(intent.words));
}

function modal(input: PolicyInput): Extract<Question, { kind: "modal" }> {
  const { words, origin } = input.intent;
  const show = words.show ?? (origin === "requestFile" ? l10n.t("Show Request") : l10n.t("Review First"));
  return {
    kind: "modal",
    message: l10n.t("{0} on {1}?", sentenceOf(input.intent), where(input)),
    detail: plain.join([...noteOf(input.intent), ...words.detail.map((line) => plain.text(line))], "\n"),
    confirm: plain.name(words.action),
    keep: plain.name(words.keep),
    // Enter changes nothing if the user may be typing elsewhere, or if the request is not shown whole.
    ...(input.effect === "mass" || origin === "chat" || words.isCut === true || isPlacedOnProduction(input)
      ? { show: plain.name(show), ...shownBy(input.intent) }
      : {}),
  };
}

/** Whether Enter would place an order with real money. */
function isPlacedOnProduction({ environment, intent: { method, origin } }: PolicyInput): boolean {
  return isRealMoney(environment) && origin !== "requestFile" && aboutOf(method) === "newOrder";
}

function shownBy({
  origin,
  method,
  paramsText,
  words: { about },
}: Intent): Pick<Extract<Question, { kind: "modal" }>, "request" | "about"> {
  if (origin === "requestFile") return { request: { method, paramsText } };
  return about === undefined ? {} : { about };
}

function allowingModal(input: PolicyInput): Question {
  const question = modal(input);
  const note = l10n.t(
    "{0} is read-only. Confirming also allows further cancels for {1}, but no other changes.",
    where(input),
    windowText(input.settings),
  );
  return withMarks(input, {
    ...question,
    isOpening: true,
    detail: joinLines(note, question.detail),
    confirm: l10n.t("Allow Cancels and Cancel"),
  });
}

function typed(input: PolicyInput, { text, hint }: TypedText = textToType(input)): Question {
  // What is compared is what is shown: an escape that the user reads can also be typed.
  const expected = plain.name(text);
  const message = l10n.t(
    "Type {0} ({1}) to confirm: {2} on {3}.",
    expected,
    hint,
    sentenceOf(input.intent),
    where(input),
  );
  const told = plain.join([message, ...noteOf(input.intent)], " ");
  const detail = hasRoom(input) ? promptDetail(input) : "";
  return { kind: "typed", message: detail === "" ? told : plain`${told} ${detail}`, expected };
}

function noteOf({ origin, words: { note } }: Intent): Plain[] {
  return [
    ...(origin === "chat" ? [l10n.t("A language model requested this.")] : []),
    ...(note === undefined ? [] : [plain.text(note)]),
  ];
}

function textToType({ intent, effect, connectionName: name }: PolicyInput): TypedText {
  if (intent.typed !== undefined)
    return {
      text: intent.typed,
      hint:
        effect === "write" && aboutOf(intent.method) === "newOrder"
          ? l10n.t("the price, outside of the price band")
          : hintOf(effect),
    };
  return (
    typedTextOf(effect, JSON.parse(intent.paramsText) as Members) ?? { text: name, hint: l10n.t("the connection name") }
  );
}

function hintOf(effect: Effect): Plain {
  switch (effect) {
    case "mass":
      return l10n.t("the count");
    case "key":
      return l10n.t("the API key name");
    case "money":
      return l10n.t("the amount");
    case "read":
    case "reduce":
    case "write":
    case "session":
      return l10n.t("as a safety check");
  }
}

/** Returns a question with what is the same for all questions about a change. */
function withMarks(input: PolicyInput, question: Question): Question {
  const warned = withWarning(input, question);
  return input.areCancels === true ? { ...warned, isForCancels: true } : warned;
}

function withWarning(input: PolicyInput, question: Question): Question {
  if (!input.isEarlierUnknown) return question;
  const warning = earlierUnknownText();
  const words =
    question.kind === "modal"
      ? { ...question, detail: joinLines(warning, question.detail) }
      : { ...question, message: plain`${warning} ${question.message}` };
  return { ...words, isRepetition: true };
}

function joinLines(first: Plain, rest: Plain): Plain {
  return rest === "" ? first : plain`${first}\n${rest}`;
}

function readOnlySentence(input: PolicyInput): Plain {
  if (input.areCancelsAllowed === true)
    return l10n.t(
      "{0} currently allows only cancels. Use Allow Changes… to allow other changes for {1}.",
      where(input),
      windowText(input.settings),
    );
  return l10n.t(
    "{0} is read-only. Use Allow Changes… to allow changes for {1}.",
    where(input),
    windowText(input.settings),
  );
}

/** Returns the duration of "Allow Changes…" as text. */
function windowText({ allowChangesMinutes: minutes }: SafetySettings): Plain {
  return minutes === 1 ? l10n.t("1 minute") : l10n.t("{0} minutes", minutes);
}

/**
 * Returns the reason, as a sentence, why a method that acts on the shared session is never sent; undefined for all
 * others. Also undefined for methods of channels: the session sends these for views and files alike.
 */
export function sessionRefusal(method: string): Plain | undefined {
  return channelMethod(method) === undefined ? whyNotSent(method) : undefined;
}
