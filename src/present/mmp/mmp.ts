import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MmpFilter, MmpPart, MmpStore } from "../../state/mmp.ts";
import { groupKey, isFrozen, type MmpGroup } from "../../state/mmpGroups.ts";
import { failureText, readFailureText } from "../text/failureText.ts";
import { joined } from "../text/joined.ts";
import { groupSentence, indexText } from "./freezeNotice.ts";
import { isMmpFiltering, mmpFilterWords } from "./mmpFilter.ts";
import { frozenText, groupText, limitTexts, memberWords, spokenLimits, untilText, type MmpMoment } from "./mmpWords.ts";
import { fact, factNode, staleFact, type RowFact } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { digitsText } from "../text/numbers.ts";
import { fieldLines, memberNodes, unreadableNodes } from "../rows/objectFields.ts";
import {
  isNotOffered,
  connectionPlaceOf,
  unreadWord,
  type ResourceSource,
  type ResourceWords,
} from "../rows/resourceHeading.ts";
import { sentenceLines, WARNING_ICON, type RowIcon, type TooltipLine } from "../rows/row.ts";
import type { Times } from "../text/times.ts";

/* The MMP view: indexes, below them groups, below these limits and every other member. */

/** The data that the rows of one connection are made from. */
export type MmpShown = Pick<MmpStore, "parts" | "snapshot">;

/** The beginning of an index row's `objectId`; that of a group is its key. */
export const INDEX_OBJECT = "index ";

export function mmpNodes({ parts, snapshot }: MmpShown, moment: MmpMoment): RowNode[] {
  const indexes = new Map<string, MmpGroup[]>();
  for (const group of snapshot.items.values())
    indexes.set(group.index_name, [...(indexes.get(group.index_name) ?? []), group]);
  const isStale = snapshot.status === "stale";
  const unreadable = unreadableNodes(
    "mmp",
    snapshot.unreadable,
    l10n.t("This response item is not a valid MMP configuration. It is shown as received."),
    moment.times,
  );
  return [
    ...[...indexes].map(([name, groups]) => indexNode(name, groups, { ...moment, isStale })),
    ...unreadable,
    ...partNodes(parts),
  ];
}

interface Moment extends MmpMoment {
  readonly isStale: boolean;
}

/** Returns the names of the items of the view; `filter` is the one that holds now. */
export function mmpWords(filter: () => MmpFilter): ResourceWords {
  return {
    scope: "trade:read / block_rfq:read",
    reading: (place) => l10n.t("Loading MMP for {0}…", place),
    none: (place) =>
      isMmpFiltering(filter())
        ? l10n.t(
            "No MMP groups on {0} match the filter ({1}). Use Clear Filter to show all groups.",
            place,
            mmpFilterWords(filter()),
          )
        : l10n.t("MMP is not configured on {0}.", place),
    notOffered: (place) => l10n.t("{0} doesn't support MMP (no private/get_mmp_config).", place),
  };
}

/** Returns remarks about the rows: that some are missing, and that the server does not say what is frozen. */
export function mmpRemark(parts: readonly MmpPart[], filter: MmpFilter): Plain {
  const hidden = isMmpFiltering(filter)
    ? l10n.t("Filtered: {0}. Frozen groups that don't match are hidden.", mmpFilterWords(filter))
    : "";
  return joined([hidden, statusRemark(parts)], " ");
}

function statusRemark(parts: readonly MmpPart[]): Plain {
  const untold = parts.filter(({ statusFailure }) => statusFailure !== undefined);
  const [first] = untold.flatMap(({ statusFailure }) => statusFailure ?? []);
  if (first === undefined) return "";
  const { happened } = failureText(first, "read");
  // A list that is live and has a failure all the same is one whose changes the server does not push.
  if (untold.some(({ snapshot }) => snapshot.status === "live" && snapshot.failure !== undefined)) {
    return isNotOffered(first)
      ? l10n.t("Frozen groups are unknown: the server supports neither private/get_mmp_status nor live updates here.")
      : l10n.t("Frozen groups are unknown. {0} The server doesn't send live updates here either.", happened);
  }
  return isNotOffered(first)
    ? l10n.t(
        "Earlier freezes are unknown: the server doesn't support private/get_mmp_status. New freezes reported by the server are shown.",
      )
    : l10n.t("Frozen groups can't be listed. {0} New freezes reported by the server are shown.", happened);
}

interface FrozenBadge {
  readonly value: number;
  readonly tooltip: Plain;
}

/** Returns how many groups are frozen, in a sentence; undefined when none is. */
export function frozenBadge(groups: readonly MmpGroup[], nowMs: number): FrozenBadge | undefined {
  const frozen = groups.filter(({ freeze }) => isFrozen(freeze, nowMs));
  const [first] = frozen;
  if (first === undefined) return undefined;
  const tooltip =
    frozen.length === 1
      ? l10n.t("MMP has frozen {0}", groupSentence(first))
      : l10n.t("MMP has frozen {0} groups", frozen.length);
  return { value: frozen.length, tooltip };
}

/** Returns the frozen groups over connections: a sentence for each, by its name where there are several. */
export function frozenBadgeOf(sources: readonly ResourceSource<MmpGroup>[], nowMs: number): FrozenBadge | undefined {
  const found = sources.flatMap((source) => {
    const badge = frozenBadge([...source.snapshot.items.values()], nowMs);
    return badge === undefined ? [] : [{ ...badge, place: connectionPlaceOf(source) }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  if (sources.length === 1) return { value: first.value, tooltip: first.tooltip };
  return {
    value: found.reduce((sum, { value }) => sum + value, 0),
    tooltip: plain.join(
      found.map(({ place, tooltip }) => l10n.t("{0}: {1}", place, tooltip)),
      "\n",
    ),
  };
}

function indexNode(name: string, groups: readonly MmpGroup[], moment: Moment): RowNode {
  const label = indexText({ index_name: name });
  const frozen = groups.flatMap((group) => frozenText(group.freeze, moment) ?? []);
  const count = groups.length === 1 ? l10n.t("1 group") : l10n.t("{0} groups", groups.length);
  const state = frozen.length > 1 ? l10n.t("{0} of {1} frozen", frozen.length, groups.length) : (frozen[0] ?? count);
  return factNode({
    key: `index ${name}`,
    objectId: `${INDEX_OBJECT}${name}`,
    label,
    subject: l10n.t("Index {0}", label),
    facts: [
      staleFact(moment.isStale, 1),
      fact(state, count),
      ...groups.map((group) => {
        const until = frozenText(group.freeze, moment);
        return until === undefined ? undefined : { sentence: l10n.t("{0} {1}", groupText(group), until) };
      }),
      ...groups.map((group) => unlistedFact(group, moment)),
    ],
    contextValue: "mmp.index",
    copyText: name,
    lines: () => groups.flatMap((group) => endLines(group, moment)),
    isOpen: true,
    below: () => [...groups].sort(compareGroups).map((group) => groupNode(group, moment)),
  });
}

/** Compares groups: regular orders, then groups by name, then Block RFQ quotes. */
function compareGroups(one: MmpGroup, other: MmpGroup): number {
  return Number(one.block_rfq) - Number(other.block_rfq) || one.mmp_group.localeCompare(other.mmp_group, "en");
}

function groupNode(group: MmpGroup, moment: Moment): RowNode {
  const { config, freeze } = group;
  const frozen = frozenText(freeze, moment);
  return factNode({
    key: groupKey(group),
    objectId: groupKey(group),
    label: groupText(group),
    subject: l10n.t("MMP for {0}", groupSentence(group)),
    facts: [
      staleFact(moment.isStale, 1),
      frozen === undefined ? undefined : { mark: [frozen, untilText(freeze, moment)] },
      unlistedFact(group, moment),
      fact(frozen === undefined ? limitTexts(config) : "", spokenLimits(config)),
    ],
    icon: frozen === undefined ? SHIELD : FROZEN,
    contextValue: ["mmp.group", ...(frozen === undefined ? [] : ["frozen"]), ...(moment.isStale ? ["stale"] : [])].join(
      ".",
    ),
    copyText: group.mmp_group === "" ? group.index_name : group.mmp_group,
    lines: () => [
      ...endLines(group, moment),
      ...sentenceLines(Object.keys(config ?? {}).flatMap((name) => memberWords(name, config)?.sentence ?? [])),
      ...(config === undefined ? [] : fieldLines(config, moment.times)),
      ...(freeze === undefined || frozen === undefined
        ? []
        : fieldLines(freeze.received, moment.times).filter(({ name }) => name === "frozen_until")),
    ],
    below: () => [...freezeNodes(group, moment), ...limitNodes(group, moment.times)],
  });
}

function freezeNodes(group: MmpGroup, moment: Moment): RowNode[] {
  const { freeze } = group;
  if (!isFrozen(freeze, moment.nowMs)) return [];
  const { times } = moment;
  const { frozen_until: untilMs } = freeze;
  return [
    factNode({
      key: "frozen_until",
      objectId: groupKey(group),
      label: plain`frozen_until`,
      subject: l10n.t("Frozen until"),
      facts: [
        untilMs === 0 ? l10n.t("manual reset") : fact(times.clock(untilMs), endText(untilMs, times)),
        unlistedFact(group, moment),
      ],
      contextValue: "field",
      copyText: digitsText(untilMs),
      lines: () => [{ name: plain`frozen_until`, value: digitsText(untilMs) }],
    }),
  ];
}

/** Returns the end of a freeze with its date, also in UTC. */
function endText(untilMs: number | undefined, times: Times): Plain {
  return l10n.t("{0} ({1})", times.local(untilMs), times.utc(untilMs));
}

function endLines({ freeze }: MmpGroup, { times, nowMs }: MmpMoment): TooltipLine[] {
  const untilMs = isFrozen(freeze, nowMs) ? freeze.frozen_until : 0;
  return sentenceLines(untilMs === 0 ? [] : [endText(untilMs, times)]);
}

/** Returns that the end of a freeze may go unheard, where the server does not list what is frozen. */
function unlistedFact({ freeze }: MmpGroup, { times, nowMs }: MmpMoment): RowFact | undefined {
  if (!isFrozen(freeze, nowMs) || freeze.isListed) return undefined;
  return {
    sentence: l10n.t(
      "The server reported this at {0}. It doesn't list frozen groups, so a reset made elsewhere isn't shown here.",
      times.clock(freeze.heardAtMs),
    ),
  };
}

/** Returns the rows of a configuration, under the exchange's own names: limits with their meaning. */
function limitNodes(group: MmpGroup, times: Times): RowNode[] {
  const { config } = group;
  if (config === undefined) return [];
  return memberNodes(config, times, groupKey(group), LIMIT_FIELDS).map((node) => {
    const words = memberWords(node.key, config);
    if (words === undefined) return node;
    const { label, text, sentence } = words;
    const spoken = l10n.t("{0}: {1}. {2}", label, text, sentence);
    return { ...node, description: text, spoken, tooltip: [...sentenceLines([sentence]), ...node.tooltip] };
  });
}

/** The members of a configuration that are shown first. */
const LIMIT_FIELDS = [
  ...["interval", "frozen_time", "quantity_limit", "delta_limit", "vega_limit", "trade_count_limit"],
  ...["max_quote_quantity"],
];

/** Returns a row for each half that could not be read while the other could. If both could not, the message says so. */
function partNodes(parts: readonly MmpPart[]): RowNode[] {
  const failed = parts.flatMap((part) =>
    part.snapshot.status === "failed" && part.snapshot.failure !== undefined
      ? [{ part, failure: part.snapshot.failure }]
      : [],
  );
  const kinds = new Set(failed.map(({ failure }) => (isNotOffered(failure) ? "notOffered" : failure.kind)));
  if (failed.length === parts.length && kinds.size <= 1) return [];
  return failed.map(({ part, failure }) => partNode(part, failure));
}

function partNode({ name }: MmpPart, failure: Failure): RowNode {
  const label = name === "orders" ? l10n.t("Orders and quotes") : l10n.t("Block RFQ quotes");
  const isMissing = isNotOffered(failure);
  const node = factNode({
    key: `part ${name}`,
    label,
    facts: [
      fact(
        unreadWord(failure),
        isMissing
          ? l10n.t("the server doesn't support MMP for these.")
          : l10n.t("couldn't read MMP. {0}", readFailureText(failure)),
      ),
    ],
    icon: WARNING_ICON,
    contextValue: "mmp.part",
  });
  return { ...node, copyText: node.spoken };
}

const SHIELD: RowIcon = { name: "shield", color: undefined };
const FROZEN: RowIcon = { name: "error", color: "problemsErrorIcon.foreground" };
