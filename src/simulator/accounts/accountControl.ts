import { fixedOf } from "../../exchange/ledger/money.ts";
import type { SimulatedAccount } from "./accounts.ts";
import type { ApiKeys, KeyChanges } from "../access/apiKeys.ts";
import { type DetailedForm, type QuoteChanges, type QuoteSpec } from "../market/blockRfqs.ts";
import type { BlockTradeSpec } from "../market/blockTradeMaker.ts";
import { blockTradeText } from "../market/blockTrades.ts";
import { tradeWithMarket } from "./marketBlockTrades.ts";
import { freezeReason, type SimulatedMmpConfig, type MmpSelection } from "./mmp.ts";
import { writeJson } from "../text/json.ts";
import type { SecondFactor } from "../access/secondFactor.ts";

/** An object as it goes over the wire. */
type Wire = Readonly<Record<string, unknown>>;

/** The possible changes, by another party or the exchange, to all but the orders of the main account. */
export interface AccountControl {
  /** Returns the block trades, the newest first. */
  blockTrades(): Wire[];
  /** Executes a block trade with the market maker. Refuses with -32602 and 10009 as `tradeWithMarket` does. */
  addBlockTrade(spec: BlockTradeSpec): Wire;
  mmpConfigs(selection?: MmpSelection): Wire[];
  frozen(selection?: MmpSelection): Wire[];
  /** Freezes the selected groups: for their frozen_time, or until the instant; 0 is until a reset. */
  freezeMmp(selection: MmpSelection, untilMs?: number): Wire[];
  resetMmp(selection: MmpSelection): void;
  /** Sets limits as another party or, with an interval of 0, removes them. */
  configureMmp(config: SimulatedMmpConfig): Wire[];
  apiKeys(): Wire[];
  editApiKey(id: number, changes: KeyChanges): Wire;
  /** Makes changes of keys need one of these codes from now on, each of them once; undefined ends that. */
  requireSecondFactor(codes: readonly string[] | undefined): void;
  /** Sets whether the tokens of a key end at once when its scope is changed; else they keep their granted scope. */
  setScopesEndTokens(isEnding: boolean): void;
  blockRfqQuotes(): Wire[];
  placeBlockRfqQuote(spec: QuoteSpec): Wire;
  /** Changes a quote as another party. */
  editBlockRfqQuote(id: number, changes: QuoteChanges): Wire;
  cancelBlockRfqQuote(id: number, reason?: string): Wire;
  fillBlockRfqQuote(id: number): Wire;
  expireBlockRfq(id: number): void;
  /** Sets the form of a detailed response to cancelling all quotes from now on. */
  setDetailedForm(form: DetailedForm): void;
  /** Brings money from outside to the main account: an amount above 0 of a currency. */
  deposit(currency: string, amount: number): void;
  /** Makes one of the changes that come now and then. */
  moveAccount(): void;
}

interface AccountControlPorts {
  readonly account: SimulatedAccount;
  readonly apiKeys: ApiKeys;
  readonly secondFactor: SecondFactor;
  readonly nowMs: () => number;
  readonly setDetailedForm: (form: DetailedForm) => void;
  readonly setScopesEndTokens: (isEnding: boolean) => void;
  readonly move: () => void;
  /** Sends the waiting events to all subscribers. */
  readonly flush: () => void;
}

export function createAccountControl(ports: AccountControlPorts): AccountControl {
  const { account, apiKeys, secondFactor, nowMs, setDetailedForm, setScopesEndTokens, move, flush } = ports;
  const { blockTrades, blockRfqs, mmp, world } = account;
  const wire = (text: string): Wire => JSON.parse(text) as Wire;
  const act = <T>(change: () => T): T => {
    const outcome = change();
    flush();
    return outcome;
  };
  return {
    blockTrades: () =>
      blockTrades.select({ count: Infinity }).map((trade) => wire(blockTradeText(trade, world.instruments))),
    addBlockTrade: (spec) => act(() => wire(blockTradeText(tradeWithMarket(account, spec), world.instruments))),
    mmpConfigs: (selection = {}) => mmp.configs(selection).map((config) => wire(writeJson(config))),
    frozen: (selection = {}) => mmp.frozen(selection).map((frozen) => wire(freezeReason(frozen))),
    freezeMmp: (selection, untilMs) =>
      act(() => mmp.freeze(selection, untilMs).map((frozen) => wire(freezeReason(frozen)))),
    resetMmp: (selection) => mmp.reset(selection),
    configureMmp: (config) => act(() => mmp.configure(config).map((made) => wire(writeJson(made)))),
    apiKeys: () => [...apiKeys.all()].map((key) => wire(apiKeys.text(key, true))),
    editApiKey: (id, changes) => act(() => wire(apiKeys.text(apiKeys.change(id, changes), true))),
    requireSecondFactor: (codes) => secondFactor.require(codes),
    blockRfqQuotes: () => blockRfqs.openQuotes().map((quote) => wire(writeJson(quote))),
    placeBlockRfqQuote: (spec) => act(() => wire(writeJson(blockRfqs.place(spec)))),
    editBlockRfqQuote: (id, changes) => act(() => wire(writeJson(blockRfqs.edit(id, changes)))),
    cancelBlockRfqQuote: (id, reason) => act(() => wire(writeJson(blockRfqs.cancel(id, reason)))),
    fillBlockRfqQuote: (id) => act(() => wire(writeJson(blockRfqs.fill(id)))),
    expireBlockRfq: (id) => {
      act(() => blockRfqs.expire(id));
    },
    setDetailedForm,
    setScopesEndTokens,
    deposit(currency, amount) {
      act(() => world.market.venue.ledger.deposit(String(account.id), { currency, amount: fixedOf(amount) }, nowMs()));
    },
    moveAccount: () => act(move),
  };
}
