import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { sessionRefusal } from "../../actions/gate/policy.ts";
import type { ChannelReference } from "../../catalogue/method.ts";
import { channelSnippet } from "./channelSuggestions.ts";
import {
  bySection,
  either,
  listedChannels,
  listedMethods,
  methodTraits,
  withoutMarks,
  type ListedMethod,
} from "./methodWords.ts";
import { requestSnippet, snippetOf } from "./requestSnippets.ts";

/* All methods and channels of the exchange, to look for one by words. */

/** A method or a channel in the list. */
export interface MethodChoice {
  /** The name of the method, or the pattern of the channel. */
  readonly label: Plain;
  readonly description: Plain;
  readonly detail: Plain;
  /** Returns the snippet of a request; undefined for a method that is never sent from a file. */
  readonly snippet: (() => string) | undefined;
  /** The method with a page of documentation; undefined for a channel. */
  readonly method: string | undefined;
}

/** A section of the list. */
interface MethodGroup {
  readonly heading: Plain;
  readonly choices: readonly MethodChoice[];
}

/**
 * Returns the sections with the methods and channels that have every typed word in their name, their summary, or their
 * section. Sections in which a name has them come first, and so do those names.
 */
export function methodGroups(typed: string): readonly MethodGroup[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const ranked = sections().flatMap(({ heading, choices }) => {
    const named: MethodChoice[] = [];
    const told: MethodChoice[] = [];
    for (const choice of choices) {
      if (hasAll(choice.label, words)) named.push(choice);
      else if (hasAll(`${choice.label} ${choice.detail} ${heading}`, words)) told.push(choice);
    }
    return named.length + told.length === 0
      ? []
      : [{ heading, choices: [...named, ...told], isNamed: named.length > 0 }];
  });
  return [...ranked.filter(({ isNamed }) => isNamed), ...ranked.filter(({ isNamed }) => !isNamed)];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function sections(): readonly MethodGroup[] {
  const groups = new Map<string, MethodChoice[]>();
  for (const listed of bySection(listedMethods())) {
    const { section } = listed.reference;
    const choices = groups.get(section) ?? [];
    groups.set(section, choices);
    choices.push(choiceOfMethod(listed));
  }
  return [
    ...[...groups].map(([heading, choices]) => ({ heading: plain.name(heading), choices })),
    { heading: l10n.t("Channels"), choices: listedChannels().map(choiceOfChannel) },
  ];
}

function choiceOfMethod({ facts, reference }: ListedMethod): MethodChoice {
  const { name } = facts;
  const isSent = sessionRefusal(name) === undefined;
  return {
    label: plain.text(name),
    description: plain.join([...methodTraits(facts), ...(isSent ? [] : [l10n.t("not sent from files")])], " · "),
    detail: withoutMarks(reference.summary),
    snippet: isSent ? () => snippetOf(name, 1) : undefined,
    method: name,
  };
}

function choiceOfChannel({ pattern, summary, access, scopes }: ChannelReference): MethodChoice {
  return {
    label: plain.text(pattern),
    description: plain.join(
      [
        access === "public" ? l10n.t("public channel") : l10n.t("private channel"),
        ...(scopes.length === 0 ? [] : [either(scopes.map((scope) => plain.name(scope)))]),
      ],
      " · ",
    ),
    detail: withoutMarks(summary),
    snippet: () =>
      requestSnippet(`${access}/subscribe`, 1, `{\n    "channels": ["${channelSnippet(pattern.split("."))}"]\n  }`),
    method: undefined,
  };
}
