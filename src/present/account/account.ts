import { percentText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import { isCross, type AccountStore, type CurrencySummary, type OwnedAccount } from "../../state/account.ts";
import { fact, factNode, staleFact, type RowFact, type FactNode } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { fieldLines, memberNodes, unreadableNodes, without } from "../rows/objectFields.ts";
import type { ResourceWords } from "../rows/resourceHeading.ts";
import { sentenceLines } from "../rows/row.ts";
import { shortInstrumentName } from "../orders/instrumentKind.ts";
import { failureText } from "../text/failureText.ts";
import { countText, digitsText, numberText, shortMoneyText, signedText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

/* The Account view: totals, currencies, the account itself, and the accounts of its owner side by side. */

/** The data that the rows of one connection are made from. */
export type AccountShown = Pick<AccountStore, "snapshot" | "profile" | "newest" | "owned">;

/** The `objectId` of rows about the account itself, and the beginning of that of an account of the owner. */
export const PROFILE_OBJECT = "account";
export const OWNED_OBJECT = "account ";

export const ACCOUNT_WORDS: ResourceWords = {
  scope: "account:read",
  reading: (place) => l10n.t("Loading the account for {0}…", place),
  none: (place) => l10n.t("The account has no currencies on {0}.", place),
  notOffered: (place) =>
    l10n.t("{0} doesn't support private/get_account_summaries, so the account can't be shown.", place),
};

export function accountNodes(shown: AccountShown, times: Times): RowNode[] {
  const { snapshot, newest, owned, profile } = shown;
  const place: Place = { times, isStale: snapshot.status === "stale" };
  const summaries = [...snapshot.items.values()];
  const empty = summaries.filter((each) => isEmpty(each));
  // A list of currencies that are all empty is all that there is to see.
  const isFolded = empty.length > 1 && empty.length < summaries.length;
  const listed = isFolded ? summaries.filter((each) => !isEmpty(each)) : summaries;
  return [
    ...(newest !== undefined && isCross(newest)
      ? [{ ...poolNode(newest, PROFILE_OBJECT, place), contextValue: "account.total" }]
      : []),
    ...listed.map((summary) => summaryNode(summary, summary.currency, place)),
    ...(isFolded ? [emptyNode(empty, place)] : []),
    ...(Object.keys(profile).length > 0 ? [profileNode(profile, place)] : []),
    ...(owned.accounts.length > 1 || owned.failure !== undefined ? [ownedNode(shown, place)] : []),
    ...unreadableNodes(
      "account",
      snapshot.unreadable,
      l10n.t("This response item names no currency or account. It is shown as received."),
      times,
    ),
  ];
}

interface Place {
  readonly times: Times;
  readonly isStale: boolean;
}

/** The members of totals, which are the same in the summary of each currency. */
const TOTALS = [
  "total_equity_usd",
  "total_margin_balance_usd",
  "total_initial_margin_usd",
  "total_maintenance_margin_usd",
  "total_delta_total_usd",
] as const;

/**
 * The members that cross margin shares: in the summary of each currency, they are those of all currencies together,
 * converted into this one. https://docs.deribit.com/api-reference/account-management/private-get_account_summaries
 */
const SHARED = [
  "margin_balance",
  "initial_margin",
  "maintenance_margin",
  "projected_initial_margin",
  "projected_maintenance_margin",
  "close_out_margin",
  "projected_close_out_margin",
  "available_funds",
] as const;

/** Makes the row of what all currencies share with cross margin. */
function poolNode(newest: CurrencySummary, objectId: string, place: Place): RowNode {
  const { total_equity_usd: equity, total_margin_balance_usd: base } = newest;
  return objectNode(place, poolMembers(newest), {
    key: "total",
    objectId,
    label: equity === undefined ? l10n.t("All currencies") : l10n.t("Total ≈ {0} USD", roundedUsd(equity)),
    facts: [
      { sentence: equity === undefined ? "" : l10n.t("equity about {0} USD", numberText(equity)) },
      poolAvailableText(newest),
      ...(base === undefined
        ? shareFacts(newest.initial_margin, newest.maintenance_margin, newest.margin_balance)
        : shareFacts(newest.total_initial_margin_usd, newest.total_maintenance_margin_usd, base)),
      modelFact(newest),
    ],
    contextValue: "account.part",
    copyText: digitsText(equity),
  });
}

/**
 * Returns the funds that all currencies have together: as documented, the margin balance without the initial margin,
 * and at least 0. Where the exchange has no totals in USD, they are said in the currency of the summary.
 */
function poolAvailableText(newest: CurrencySummary): Plain {
  const { total_margin_balance_usd: base, total_initial_margin_usd: initial, available_funds: available } = newest;
  if (base !== undefined && initial !== undefined)
    return l10n.t("available ≈ {0} USD", roundedUsd(Math.max(0, base - initial)));
  return available === undefined ? "" : l10n.t("available {0} {1}", moneyText(available), plain.name(newest.currency));
}

function roundedUsd(value: number): Plain {
  return numberText(Number(value.toFixed(2)));
}

/** Returns the shared members: the totals, and the others with the currency that they are converted into. */
function poolMembers(newest: CurrencySummary): object {
  const names = [...TOTALS, "currency", ...SHARED] as const;
  return Object.fromEntries(names.flatMap((name) => (newest[name] === undefined ? [] : [[name, newest[name]]])));
}

/** Makes the row of a currency, with what is its own: the pool has what it shares with others. */
function summaryNode(summary: CurrencySummary, objectId: string, place: Place, isShared = isCross(summary)): RowNode {
  const { currency, equity, available_funds: available, locked_balance: locked = 0 } = summary;
  return objectNode(
    place,
    isShared ? without(summary, [...TOTALS, ...SHARED]) : summary,
    {
      key: currency,
      objectId,
      label: l10n.t("{0} {1}", plain.name(currency), moneyText(equity)),
      facts: [
        { sentence: l10n.t("equity {0}", numberText(equity)) },
        isShared || available === undefined
          ? undefined
          : fact(l10n.t("available {0}", moneyText(available)), l10n.t("available {0}", numberText(available))),
        ...(isShared ? [] : shareFacts(summary.initial_margin, summary.maintenance_margin, summary.margin_balance)),
        ...greekFacts(summary),
        locked > 0
          ? fact(l10n.t("locked {0}", moneyText(locked)), l10n.t("locked {0}", numberText(locked)))
          : undefined,
        modelFact(summary),
      ],
      contextValue: "account.currency",
      copyText: digitsText(equity),
    },
    MONEY_FIELDS,
  );
}

/** Makes the row above the currencies of which the account has nothing. */
function emptyNode(empty: readonly CurrencySummary[], place: Place): RowNode {
  const names = empty.map(({ currency }) => plain.name(currency));
  return factNode({
    key: "empty",
    // The currencies below it are no parts of one object.
    objectId: undefined,
    label: l10n.t("Empty currencies"),
    subject: l10n.t("Currencies without a balance"),
    facts: [fact(countText(empty.length), plain.join(names, ", "))],
    contextValue: "account.empty",
    copyText: names.join("\n"),
    below: () => empty.map((summary) => summaryNode(summary, summary.currency, place)),
  });
}

/** Makes the row of the account itself: its name, type, and settings. */
function profileNode(profile: object, place: Place): RowNode {
  const { username, type, id } = profile as Readonly<Record<string, unknown>>;
  return objectNode(place, profile, {
    key: "profile",
    objectId: PROFILE_OBJECT,
    label: typeof username === "string" ? plain.name(username) : l10n.t("Account"),
    facts: [
      { sentence: l10n.t("the account itself") },
      typeof type === "string" ? plain.name(type) : undefined,
      typeof id === "number" ? l10n.t("ID {0}", digitsText(id)) : undefined,
    ],
    contextValue: "account.profile",
    copyText: typeof username === "string" ? username : "",
  });
}

/** Makes the row above the accounts of the owner. Their figures are as old as the response: no event brings them. */
function ownedNode({ owned }: AccountShown, place: Place): RowNode {
  const { accounts, failure, readAtMs } = owned;
  const { times } = place;
  return factNode({
    key: "owned",
    label: l10n.t("Main account and subaccounts"),
    facts:
      failure === undefined
        ? [countText(accounts.length), l10n.t("as of {0}", times.clock(readAtMs))]
        : [fact(l10n.t("not read"), l10n.t("not read. {0}", failureText(failure, "read").happened))],
    contextValue: "account.owned",
    copyText: accounts.map(({ username }) => username ?? "").join("\n"),
    lines: () => sentenceLines(failure === undefined ? [times.utc(readAtMs)] : []),
    ...(failure === undefined ? { below: () => accounts.map((account) => ownedAccountNode(account, place)) } : {}),
  });
}

function ownedAccountNode(account: OwnedAccount, place: Place): RowNode {
  const { id, username, type, margin_model: model } = account;
  const objectId = `${OWNED_OBJECT}${String(id)}`;
  const portfolio = Object.values(account.portfolio ?? {}).flatMap((each) => readRow("accountSummary", each) ?? []);
  const isShared = portfolio.some((each) =>
    isCross({ ...(model === undefined ? {} : { margin_model: model }), ...each }),
  );
  const [first] = portfolio;
  const rest = portfolio.length === 0 ? account : without(account, ["portfolio"]);
  return {
    ...objectNode(place, rest, {
      key: String(id),
      objectId,
      label: username === undefined ? l10n.t("Account {0}", digitsText(id)) : plain.name(username),
      facts: [
        { sentence: l10n.t("account {0}", digitsText(id)) },
        ...portfolio
          .filter((each) => !isEmpty(each, isShared))
          .map(({ currency, equity }) =>
            fact(
              l10n.t("{0} {1}", plain.name(currency), moneyText(equity)),
              l10n.t("{0} {1}", plain.name(currency), numberText(equity)),
            ),
          ),
        type === "main" ? l10n.t("main") : undefined,
        slotFact(account),
        modelFact(account),
      ],
      contextValue: "account.ownedAccount",
      copyText: username ?? digitsText(id),
    }),
    below: () => [
      ...(isShared && first !== undefined ? [poolNode(first, objectId, place)] : []),
      ...portfolio.map((summary) => ({
        ...summaryNode(summary, objectId, place, isShared),
        contextValue: "account.part",
      })),
      ...memberNodes(rest, place.times, objectId),
    ],
  };
}

/** Returns what a slot of isolated margin serves; undefined for other accounts. */
function slotFact(account: OwnedAccount): RowFact | undefined {
  const { isolated, isolated_margin_instrument: instrument } = receivedOf(account) as Readonly<Record<string, unknown>>;
  if (isolated !== true) return undefined;
  return typeof instrument === "string"
    ? fact(
        l10n.t("isolated {0}", plain.name(shortInstrumentName(instrument))),
        l10n.t("isolated margin of {0}", plain.name(instrument)),
      )
    : fact(l10n.t("isolated, free"), l10n.t("isolated margin, no instrument now"));
}

/** Makes a row of an object, whose members are below it and in the tooltip. `names`: those that come first. */
function objectNode({ times, isStale }: Place, object: object, row: FactNode, names?: readonly string[]): RowNode {
  return factNode({
    ...row,
    facts: [...row.facts, staleFact(isStale)],
    lines: () => fieldLines(object, times),
    below: () => memberNodes(object, times, row.objectId, names),
  });
}

/** Whether an account has nothing of a currency, as far as that is known. A shared margin balance is not its own. */
function isEmpty(summary: CurrencySummary, isShared = isCross(summary)): boolean {
  const { equity, balance = 0, locked_balance: locked = 0, margin_balance: margin = 0 } = summary;
  return equity === 0 && balance === 0 && locked === 0 && (isShared || margin === 0);
}

/** The members of a currency that are shown first. */
const MONEY_FIELDS = [
  ...["total_equity_usd", "equity", "balance", "available_funds", "available_withdrawal_funds", "locked_balance"],
  ...["margin_balance", "initial_margin", "maintenance_margin", "total_pl", "session_upl", "session_rpl"],
  ...[
    "options_value",
    "delta_total",
    "options_delta",
    "options_gamma",
    "options_vega",
    "options_theta",
    "margin_model",
  ],
];

/**
 * The sensitivities of a currency, which are told as the exchange reports them.
 * https://docs.deribit.com/api-reference/account-management/private-get_account_summaries
 */
const GREEKS: readonly (readonly [member: string, mark: (value: Plain) => Plain, words: (value: Plain) => Plain])[] = [
  ["delta_total", (value) => l10n.t("Δ {0}", value), (value) => l10n.t("delta {0}", value)],
  ["options_gamma", (value) => l10n.t("Γ {0}", value), (value) => l10n.t("gamma of options {0}", value)],
  ["options_vega", (value) => l10n.t("vega {0}", value), (value) => l10n.t("vega of options {0}", value)],
  ["options_theta", (value) => l10n.t("theta {0}", value), (value) => l10n.t("theta of options {0}", value)],
];

/** Returns the sensitivities that are not 0; a narrow row leaves out the last ones first. */
function greekFacts(summary: CurrencySummary): readonly RowFact[] {
  const members = receivedOf(summary) as Readonly<Record<string, unknown>>;
  return GREEKS.flatMap(([member, mark, words], index) => {
    const value = members[member];
    if (typeof value !== "number" || value === 0) return [];
    return [fact(mark(signedText(value, shortMoneyText)), words(numberText(value)), index + 1)];
  });
}

/**
 * Returns initial and maintenance margin as shares of the margin balance; none where that is unknown. The row has the
 * larger one alone, and only when it matters.
 */
function shareFacts(
  initial: number | undefined,
  maintenance: number | undefined,
  base: number | undefined,
): readonly RowFact[] {
  const percent = (margin: number | undefined): Plain | undefined => {
    if (margin === undefined || base === undefined || (base <= 0 && margin !== 0)) return undefined;
    const share = plain.text(((margin / base) * 100).toFixed(1));
    return percentText(margin === 0 ? 0 : share === "0.0" ? plain`<0.1` : share);
  };
  const [first, second] = [percent(initial), percent(maintenance)];
  const use = base === undefined || base <= 0 ? 0 : Math.max(initial ?? 0, maintenance ?? 0) / base;
  return [
    ...(use > TELLING_USE
      ? [fact(l10n.t("margin {0}", percentText(plain.text((use * 100).toFixed(use < 1 ? 1 : 0)))), "")]
      : []),
    ...(first === undefined ? [] : [{ sentence: l10n.t("initial margin {0}", first) }]),
    ...(second === undefined ? [] : [{ sentence: l10n.t("maintenance margin {0}", second) }]),
  ];
}

/** The use of margin from which a row says it, as a share of the margin balance. */
const TELLING_USE = 0.5;

/** Returns the equity of all currencies as the exchange reports it, for the title of the view; empty where unknown. */
export function totalText({ newest }: Pick<AccountShown, "newest">): Plain {
  const equity = newest?.total_equity_usd;
  return equity === undefined ? "" : l10n.t("≈ {0} USD", roundedUsd(equity));
}

function modelFact({ margin_model: model }: Pick<CurrencySummary, "margin_model">): RowFact | undefined {
  return model === undefined
    ? undefined
    : fact(plain.name(model), l10n.t("margin model {0}", plain.name(model)), GREEKS.length + 1);
}

function moneyText(value: number | undefined): Plain {
  return value === undefined ? NOT_KNOWN : shortMoneyText(value);
}
