import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";
import type { ChannelEntry, MethodEntry, ParamEntry } from "../../src/catalogue/reference/methodTable.ts";
import { describeMethods } from "../../src/cli/methods.ts";

/*
 * What `trading-rpc methods --json` prints beside the collected facts about the exchange's methods and channels, which
 * are outside the repository. Every difference is listed below with its reason.
 */

const API = path.resolve("../shared/exchange/api");

interface ParamFact {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface MethodFact {
  readonly access: string;
  readonly section: string;
  readonly scope: string | null;
  readonly effect: string;
  readonly rate: { readonly class: string; readonly cost?: number; readonly pool?: number };
  readonly webSocketOnly?: boolean;
  readonly mainAccountOnly?: boolean;
  readonly mayAskSecondFactor?: boolean;
  readonly params: readonly ParamFact[];
  readonly documentation: string;
}

interface ChannelFact {
  readonly access: string;
  readonly scope: string | null;
  readonly params: readonly { readonly name: string; readonly enum: readonly string[] | null }[];
}

/** The differences, as `place: fact → here`, by their reason. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  "cancel-on-disconnect decides what happens to orders, so it is a write": [
    "private/enable_cancel_on_disconnect effect: session → write",
    "private/disable_cancel_on_disconnect effect: session → write",
  ],
  "it changes nothing": ["public/hello effect: session → read"],
  "it takes no order off the book, so it is more than a cancel": [
    "private/cancel_withdrawal effect: reduce → write",
    "private/cancel_transfer_by_id effect: reduce → write",
    "private/reject_block_trade effect: reduce → write",
    "private/invalidate_block_trade_signature effect: reduce → write",
  ],
  "it replaces many quotes at once": ["private/mass_quote effect: write → mass"],
  "public methods are open to all callers": ["public/get_last_trades_by_currency_and_time scope: trade:read → none"],
  "it is about the connection that it comes over": [
    "private/enable_cancel_on_disconnect webSocketOnly: false → true",
    "private/disable_cancel_on_disconnect webSocketOnly: false → true",
  ],
  "the name of the section is written out": [
    "private/get_lsp_participant_config section: lsp → Liquidity Support",
    "private/get_lsp_participants section: lsp → Liquidity Support",
    "private/get_lsp_participants_usage section: lsp → Liquidity Support",
    "private/get_lsp_usage section: lsp → Liquidity Support",
  ],
  "the exchange counts it to the matching engine, as its sisters": [
    "private/cancel_all_by_currency_pair rate: default → matching",
  ],
  "the JWT of a grant that the gateway alone has": ["public/auth token: not there → string"],
  "the grant decides which are needed": [
    "public/auth client_id required: true → false",
    "public/auth client_secret required: true → false",
    "public/auth refresh_token required: true → false",
    "public/auth timestamp required: true → false",
    "public/auth signature required: true → false",
  ],
  "cancel_type decides which of the selectors is needed": [
    "private/cancel_quotes currency required: true → false",
    "private/cancel_quotes currency_pair required: true → false",
  ],
  "without it all instruments are returned, and clients rely on that": [
    "public/get_instruments currency required: true → false",
  ],
  "one of the two times is enough; a rule says so": [
    "private/get_user_trades_by_currency_and_time start_timestamp required: true → false",
    "private/get_user_trades_by_currency_and_time end_timestamp required: true → false",
    "private/get_user_trades_by_instrument_and_time start_timestamp required: true → false",
    "private/get_user_trades_by_instrument_and_time end_timestamp required: true → false",
    "public/get_last_trades_by_instrument_and_time start_timestamp required: true → false",
    "public/get_last_trades_by_instrument_and_time end_timestamp required: true → false",
  ],
  "the second call of a change with 2FA carries them": [
    "private/change_scope_in_api_key authorization_data: not there → string",
    "private/change_scope_in_api_key challenge: not there → string",
    "private/create_api_key authorization_data: not there → string",
    "private/create_api_key challenge: not there → string",
    "private/disable_api_key authorization_data: not there → string",
    "private/disable_api_key challenge: not there → string",
    "private/edit_api_key authorization_data: not there → string",
    "private/edit_api_key challenge: not there → string",
    "private/enable_api_key authorization_data: not there → string",
    "private/enable_api_key challenge: not there → string",
    "private/list_api_keys authorization_data: not there → string",
    "private/list_api_keys challenge: not there → string",
    "private/remove_api_key authorization_data: not there → string",
    "private/remove_api_key challenge: not there → string",
    "private/reset_api_key authorization_data: not there → string",
    "private/reset_api_key challenge: not there → string",
  ],
  "scopes are taken as one string or as an array": [
    "private/change_scope_in_api_key max_scope type: array → string|array",
    "private/create_api_key max_scope type: array → string|array",
    "private/edit_api_key max_scope type: array → string|array",
  ],
  "documented as a string, and shown as an object": [
    "private/accept_block_rfq hedge type: string → object|string",
    "private/add_block_rfq_quote hedge type: string → object|string",
    "private/create_block_rfq hedge type: string → object|string",
    "private/edit_block_rfq_quote hedge type: string → object|string",
    "private/pme/simulate simulated_positions type: string → object|string",
    "private/set_clearance_originator deposit_id type: string → object|string",
    "private/set_clearance_originator originator type: string → object|string",
    "private/simulate_portfolio simulated_positions type: string → object|string",
  ],
  "it is a string, and so are its values": [
    'public/get_tradingview_chart_data resolution enum: [1,3,5,10,15,30,60,120,180,360,720,"1D"] → ["1","3","5","10","15","30","60","120","180","360","720","1D"]',
    'public/get_volatility_index_data resolution enum: [1,60,3600,43200,"1D"] → ["1","60","3600","43200","1D"]',
  ],
  "the response has it as a string": ["private/get_block_rfqs continuation type: integer → string"],
  "documented in words alone": [
    "private/add_block_rfq_quote label maxLength: not there → 64",
    "private/buy label maxLength: not there → 64",
    "private/create_block_rfq label maxLength: not there → 64",
    "private/create_api_key name maxLength: not there → 16",
    "private/edit_api_key name maxLength: not there → 16",
    "private/get_mmp_config mmp_group maxLength: not there → 64",
    "private/get_mmp_status mmp_group maxLength: not there → 64",
    "private/reset_mmp mmp_group maxLength: not there → 64",
    "private/sell label maxLength: not there → 64",
    "private/set_mmp_config mmp_group maxLength: not there → 64",
    "private/subscribe label maxLength: not there → 16",
    "private/set_mmp_config quantity_limit minimum: not there → 0",
    "private/set_mmp_config delta_limit minimum: not there → 0",
    "private/set_mmp_config vega_limit minimum: not there → 0",
    "private/set_mmp_config max_quote_quantity minimum: not there → 0",
    "public/set_heartbeat interval minimum: not there → 10",
  ],
};

/** The parameters and placeholders whose values the exchange adds without notice: they are completed live. */
const LIVE = ["currency", "currency_pair", "index_name"];

function text(value: unknown): string {
  if (value === undefined) return "not there";
  if (value === null) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns a difference where two values are not the same. */
function unlike(place: string, fact: unknown, here: unknown): readonly string[] {
  return text(fact) === text(here) ? [] : [`${place}: ${text(fact)} → ${text(here)}`];
}

function scopeOf({ scope, scopeWhen, mainAccountOnly }: MethodEntry): string | null {
  if (scope === null) return null;
  const otherwise = scopeWhen === undefined ? "" : ` or ${scopeWhen.scope} (when ${scopeWhen.param} = true)`;
  return `${scope}${otherwise}${mainAccountOnly ? " and mainaccount" : ""}`;
}

function methodDifferences(name: string, fact: MethodFact, here: MethodEntry): readonly string[] {
  const rateClass = here.rate.class.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { cost, pool } = fact.rate;
  return [
    ...unlike(`${name} access`, fact.access, here.access),
    ...unlike(`${name} section`, fact.section, here.section),
    ...unlike(`${name} effect`, fact.effect, here.effect),
    ...unlike(`${name} scope`, fact.scope, scopeOf(here)),
    ...unlike(`${name} rate`, fact.rate.class, rateClass),
    ...(cost === undefined ? [] : unlike(`${name} cost`, [cost, pool], [here.rate.cost, here.rate.size])),
    ...unlike(`${name} webSocketOnly`, fact.webSocketOnly === true, here.webSocketOnly),
    ...unlike(`${name} mainAccountOnly`, fact.mainAccountOnly === true, here.mainAccountOnly),
    ...unlike(`${name} mayAskSecondFactor`, fact.mayAskSecondFactor === true, here.mayAskSecondFactor),
    ...unlike(`${name} documentation`, fact.documentation, here.documentation),
    ...paramDifferences(name, fact.params, here.params),
  ];
}

function paramDifferences(name: string, facts: readonly ParamFact[], params: readonly ParamEntry[]): readonly string[] {
  const added = params.filter((param) => !facts.some((fact) => fact.name === param.name));
  return [
    ...added.flatMap((param) => unlike(`${name} ${param.name}`, undefined, param.type)),
    ...facts.flatMap((fact) => {
      const place = `${name} ${fact.name}`;
      const here = params.find((param) => param.name === fact.name);
      if (here === undefined) return unlike(place, fact.type, undefined);
      return [
        ...unlike(`${place} type`, fact.type, here.type),
        ...unlike(`${place} required`, fact.required, here.required),
        ...unlike(`${place} minimum`, fact.minimum, here.minimum),
        ...unlike(`${place} maximum`, fact.maximum, here.maximum),
        ...unlike(`${place} maxLength`, fact.maxLength, here.maxLength),
        ...(LIVE.includes(fact.name) ? [] : unlike(`${place} enum`, fact.enum, here.enum)),
      ];
    }),
  ];
}

function factsOf<F>(file: string): Readonly<Record<string, F>> {
  return JSON.parse(fs.readFileSync(path.join(API, file), "utf8")) as Readonly<Record<string, F>>;
}

/** Returns what the terminal prints, read as a program would. */
function printed(isAboutChannels: boolean): unknown {
  const described = describeMethods({ names: [], isAboutChannels, format: "json", environment: "production" }, "0.0.0");
  assert.ok(described.kind === "text");
  return JSON.parse(described.text);
}

describe.skipIf(!fs.existsSync(API))("methods --json beside the collected facts", () => {
  test("185 of 185 names, and each difference has its reason", () => {
    const facts = factsOf<MethodFact>("methods.json");
    const here = new Map((printed(false) as readonly MethodEntry[]).map((each) => [each.name, each]));
    assert.equal(here.size, 185);
    assert.deepEqual([...here.keys()].sort(), Object.keys(facts).sort());
    const found = Object.entries(facts).flatMap(([name, fact]) => {
      const entry = here.get(name);
      return entry === undefined ? [] : methodDifferences(name, fact, entry);
    });
    const explained = Object.values(DIFFERENCES).flat();
    assert.deepEqual(
      found.filter((each) => !explained.includes(each)),
      [],
      "each difference has a reason",
    );
    assert.deepEqual(
      explained.filter((each) => !found.includes(each)),
      [],
      "each reason is of a difference that there is",
    );
  });

  test("43 of 43 channels, with their access, scopes, and placeholders", () => {
    const facts = factsOf<ChannelFact>("channels.json");
    const here = new Map((printed(true) as readonly ChannelEntry[]).map((each) => [each.pattern, each]));
    assert.equal(here.size, 43);
    assert.deepEqual([...here.keys()].sort(), Object.keys(facts).sort());
    const found = Object.entries(facts).flatMap(([pattern, fact]) => {
      const { access, scope, placeholders = [] } = here.get(pattern) ?? {};
      return [
        ...unlike(`${pattern} access`, fact.access, access),
        ...unlike(`${pattern} scope`, fact.scope?.replace("|", " or ") ?? null, scope),
        ...unlike(
          `${pattern} placeholders`,
          fact.params.map(({ name }) => name),
          placeholders.map(({ name }) => name),
        ),
        ...fact.params.flatMap(({ name, enum: values }, index) => {
          // `any` is documented in words.
          const known = new Set(["any", ...(values ?? [])]);
          const words = placeholders[index]?.values.filter((word) => !known.has(word));
          return LIVE.includes(name) ? [] : unlike(`${pattern} ${name}`, "", words?.join() ?? "");
        }),
      ];
    });
    assert.deepEqual(found, []);
  });
});
