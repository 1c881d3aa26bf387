/*
 * A second ledger, to hold against the one that ships: the exchange's published formulas in their plainest form, with
 * exact fractions and one rounding where money is paid or shown. It imports nothing from `src`.
 */

/** An exact fraction; the denominator is above 0. */
export interface Q {
  readonly n: bigint;
  readonly d: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** Makes a fraction; only a long one is shortened, since that takes the most time of all. */
export function q(n: bigint | number, d: bigint | number = 1n): Q {
  const [top, bottom] = d < 0 ? [-BigInt(n), -BigInt(d)] : [BigInt(n), BigInt(d)];
  if (bottom < LONG) return { n: top, d: bottom };
  const common = gcd(top < 0n ? -top : top, bottom) || 1n;
  return { n: top / common, d: bottom / common };
}

const LONG = 10n ** 80n;
const ZERO = q(0);
export const add = (a: Q, b: Q): Q => q(a.n * b.d + b.n * a.d, a.d * b.d);
export const sub = (a: Q, b: Q): Q => q(a.n * b.d - b.n * a.d, a.d * b.d);
export const mul = (a: Q, b: Q): Q => q(a.n * b.n, a.d * b.d);
export const div = (a: Q, b: Q): Q => q(a.n * b.d, a.d * b.n);
const neg = (a: Q): Q => q(-a.n, a.d);
const abs = (a: Q): Q => (a.n < 0n ? neg(a) : a);
const min = (a: Q, b: Q): Q => (sub(a, b).n < 0n ? a : b);
const max = (a: Q, b: Q): Q => (sub(a, b).n < 0n ? b : a);
const sumOf = (values: readonly Q[]): Q => values.reduce(add, ZERO);

/** Returns a number of eight decimals as a whole number of the last one, rounded from the middle away from 0. */
export function units(value: Q): bigint {
  const top = value.n * 10n ** 8n * 2n;
  return (top + (top < 0n ? -value.d : value.d)) / (value.d * 2n);
}

/** Rounds to eight decimals. */
const eight = (value: Q): Q => q(units(value), 10n ** 8n);

/** An instrument, as far as its money depends on it. */
export interface Contract {
  readonly name: string;
  readonly kind: "inverse" | "linear" | "coin option" | "linear option" | "spot";
  readonly coin: string;
  /** What everything is paid in; of spot the second currency. */
  readonly money: string;
  readonly strike?: Q;
  readonly isPut?: boolean;
}

/** The prices of a moment. */
export interface Quote {
  readonly mark: Q;
  readonly index: Q;
  readonly underlying: Q;
  /** The delta of one option, and what is left of every delta before an expiry. */
  readonly delta: Q;
  readonly left: Q;
}

/** A position by its entry prices: the average since it was built, and since the last settlement. */
interface Holding {
  size: Q;
  entry: Q;
  sessionEntry: Q;
  realized: Q;
  funding: Q;
}

/** What a holding shows, each rounded to eight decimals. */
export interface Shown {
  readonly size: Q;
  readonly entry: Q;
  readonly total: Q;
  readonly unrealized: Q;
  readonly realized: Q;
  readonly initial: Q;
  readonly maintenance: Q;
}

const isOption = ({ kind }: Contract): boolean => kind.endsWith("option");

/** Returns the profit of a signed size that was entered at one price and left at another. */
function profit({ kind }: Contract, size: Q, entry: Q, exit: Q): Q {
  if (size.n === 0n) return ZERO;
  return kind === "inverse" ? mul(size, sub(div(q(1), entry), div(q(1), exit))) : mul(size, sub(exit, entry));
}

/** Returns the entry price of two sizes on one side: of an inverse future the harmonic mean. */
function mixed({ kind }: Contract, [size, entry]: readonly [Q, Q], [more, price]: readonly [Q, Q]): Q {
  if (size.n === 0n) return price;
  return kind === "inverse"
    ? div(add(size, more), add(div(size, entry), div(more, price)))
    : div(add(mul(size, entry), mul(more, price)), add(size, more));
}

/** The published fees: maker, taker, delivery. */
function fees({ kind }: Contract): readonly [Q, Q, Q] {
  if (kind === "spot") return [ZERO, ZERO, ZERO];
  if (kind === "coin option") return [q(3, 10_000), q(3, 10_000), q(15, 100_000)];
  if (kind === "linear option") return [q(1, 10_000), q(5, 10_000), q(15, 100_000)];
  return [ZERO, q(5, 10_000), q(25, 100_000)];
}

/** What an order of a liquidation pays instead. */
function liquidationFee({ kind, coin }: Contract): Q {
  if (kind === "spot") return ZERO;
  if (kind.endsWith("option")) return q(2, 1000);
  return coin === "BTC" ? q(75, 10_000) : q(9, 1000);
}

function fee(contract: Contract, rate: Q, size: Q, { price, index }: { readonly price: Q; readonly index: Q }): Q {
  const amount = abs(size);
  switch (contract.kind) {
    case "inverse":
      return eight(mul(eight(div(amount, price)), rate));
    case "spot":
      // What was bought comes with its fee taken off; what was sold is paid so.
      return size.n > 0n ? eight(mul(amount, rate)) : eight(mul(eight(mul(amount, price)), rate));
    case "linear":
      return eight(mul(eight(mul(amount, price)), rate));
    case "coin option":
      return min(eight(mul(amount, rate)), eight(mul(mul(amount, price), q(1, 8))));
    case "linear option":
      return min(eight(mul(eight(mul(amount, index)), rate)), eight(mul(mul(amount, price), q(1, 8))));
  }
}

/** Returns what one option pays when it is delivered. */
export function payout({ kind, strike = ZERO, isPut }: Contract, price: Q): Q {
  const worth = max(ZERO, isPut === true ? sub(strike, price) : sub(price, strike));
  return eight(kind === "coin option" ? div(worth, price) : worth);
}

/** Returns the standard margin of a position: initial and maintenance. */
function margins(contract: Contract, size: Q, quote: Quote): readonly [Q, Q] {
  if (size.n === 0n || contract.kind === "spot") return [ZERO, ZERO];
  if (isOption(contract)) return size.n > 0n ? [ZERO, ZERO] : shortMargins(contract, abs(size), quote);
  const coins = abs(contract.kind === "inverse" ? div(size, quote.mark) : size);
  const [initial, step] =
    contract.coin === "BTC"
      ? [q(2, 100), q(5, 100_000)]
      : contract.coin === "ETH"
        ? [q(2, 100), q(4, 1_000_000)]
        : [q(4, 100), q(5, 1_000_000)];
  const price = contract.kind === "inverse" ? q(1) : quote.mark;
  const at = (rate: Q): Q => eight(mul(mul(coins, add(rate, mul(coins, step))), price));
  return [at(initial), at(div(initial, q(2)))];
}

function shortMargins(contract: Contract, size: Q, { mark, underlying }: Quote): readonly [Q, Q] {
  const strike = contract.strike ?? ZERO;
  const isPut = contract.isPut === true;
  const unit = contract.kind === "coin option" ? q(1) : underlying;
  const away = eight(div(max(ZERO, isPut ? sub(underlying, strike) : sub(strike, underlying)), underlying));
  const initial = add(eight(mul(max(sub(q(15, 100), away), q(1, 10)), unit)), mark);
  const maintenance = add(eight(mul(q(75, 1000), isPut ? max(unit, mark) : unit)), mark);
  return [eight(mul(size, isPut ? max(initial, maintenance) : initial)), eight(mul(size, maintenance))];
}

/** Returns what a position adds to the delta of its account: delta - mark of an option that is paid in the coin. */
function netDelta({ kind }: Contract, size: Q, { mark, underlying, delta, left }: Quote): Q {
  switch (kind) {
    case "inverse":
      return mul(eight(div(size, mark)), left);
    case "linear":
      return mul(mul(size, mark), left);
    case "coin option":
      return mul(size, sub(delta, mul(mark, left)));
    case "linear option":
      return mul(mul(size, delta), underlying);
    case "spot":
      return ZERO;
  }
}

/** What is traded, and whether the taker is liquidated by it. */
export interface Terms {
  readonly amount: Q;
  readonly price: Q;
  readonly taker: "buy" | "sell";
  readonly isLiquidation?: boolean;
}

/** The second ledger. Accounts are made by their first use. */
export interface SecondLedger {
  balance(account: string, currency: string): Q;
  position(account: string, contract: Contract): Shown;
  trade(buyer: string, seller: string, contract: Contract, terms: Terms): void;
  move(accounts: readonly [source: string, target: string], contract: Contract, amount: Q, price: Q): void;
  /** Longs pay this part of their position's worth at the index price. */
  fund(contract: Contract, interest: Q): void;
  settle(): void;
  deliver(contract: Contract, price: Q): void;
  deposit(account: string, currency: string, amount: Q): void;
  /** Moves money between accounts; what the insurance fund pays, too. */
  transfer(from: string, to: string, currency: string, amount: Q): void;
  equity(account: string, currency: string): Q;
  /** The published DeltaTotal: the net transaction delta of options and the coins of futures; linear ones as money. */
  delta(account: string, currency: string): Q;
}

/** Makes a second ledger over the prices of now. */
export function createSecondLedger(
  quoteOf: (contract: Contract) => Quote,
  market: string,
  feeAccount: string,
): SecondLedger {
  const cash = new Map<string, Q>();
  const holdings = new Map<string, Map<string, Holding>>();
  const contracts = new Map<string, Contract>();
  const key = (account: string, currency: string): string => `${account} ${currency}`;
  const give = (account: string, currency: string, change: Q): void => {
    cash.set(key(account, currency), add(cash.get(key(account, currency)) ?? ZERO, change));
  };
  const holdingOf = (account: string, contract: Contract): Holding => {
    contracts.set(contract.name, contract);
    const own = holdings.get(account) ?? new Map<string, Holding>();
    holdings.set(account, own);
    const none = { size: ZERO, entry: ZERO, sessionEntry: ZERO, realized: ZERO, funding: ZERO };
    const holding = own.get(contract.name) ?? none;
    own.set(contract.name, holding);
    return holding;
  };
  const fill = (holding: Holding, contract: Contract, amount: Q, price: Q): void => {
    const isSameSide = holding.size.n === 0n || holding.size.n > 0n === amount.n > 0n;
    const after = add(holding.size, amount);
    if (isSameSide) {
      holding.entry = mixed(contract, [holding.size, holding.entry], [amount, price]);
      holding.sessionEntry = mixed(contract, [holding.size, holding.sessionEntry], [amount, price]);
    } else {
      const isBeyond = after.n !== 0n && after.n > 0n === amount.n > 0n;
      const closed = isBeyond ? holding.size : neg(amount);
      holding.realized = add(holding.realized, profit(contract, closed, holding.sessionEntry, price));
      if (isBeyond) holding.entry = holding.sessionEntry = price;
    }
    holding.size = after;
  };
  const book = (account: string, contract: Contract, amount: Q, { price, rate }: { price: Q; rate: Q }): void => {
    const paid = fee(contract, rate, amount, { price, index: quoteOf(contract).index });
    const cost = eight(mul(amount, price));
    if (contract.kind === "spot") give(account, contract.coin, amount);
    else fill(holdingOf(account, contract), contract, amount, price);
    if (contract.kind === "spot" || isOption(contract)) give(account, contract.money, neg(cost));
    const feeMoney = contract.kind === "spot" && amount.n > 0n ? contract.coin : contract.money;
    give(account, feeMoney, neg(paid));
    give(feeAccount, feeMoney, paid);
  };
  const shown = (contract: Contract, holding: Holding, mark: Q): Shown => {
    const [initial, maintenance] = margins(contract, holding.size, quoteOf(contract));
    return {
      size: holding.size,
      entry: holding.size.n === 0n ? ZERO : eight(holding.entry),
      total: eight(profit(contract, holding.size, holding.entry, mark)),
      unrealized: eight(profit(contract, holding.size, holding.sessionEntry, mark)),
      realized: eight(add(holding.realized, holding.funding)),
      initial,
      maintenance,
    };
  };
  const each = (run: (account: string, contract: Contract, holding: Holding) => void): void => {
    for (const [account, own] of holdings)
      for (const [name, holding] of [...own]) run(account, contracts.get(name)!, holding);
  };
  const balances = (account: string, currency: string): Q => cash.get(key(account, currency)) ?? ZERO;
  const ofAccount = (account: string, currency: string, value: (contract: Contract, holding: Holding) => Q): Q => {
    const values: Q[] = [];
    each((owner, contract, holding) => {
      if (owner === account && contract.money === currency) values.push(value(contract, holding));
    });
    return sumOf(values);
  };
  const position = (account: string, contract: Contract): Shown =>
    shown(contract, holdingOf(account, contract), quoteOf(contract).mark);
  return {
    balance: balances,
    position,
    trade(buyer, seller, contract, terms) {
      const { price } = terms;
      const [maker, usual] = fees(contract);
      const taker = terms.isLiquidation === true ? liquidationFee(contract) : usual;
      // The maker's side comes first, which is seen where an account trades with itself.
      const sell = (): void =>
        book(seller, contract, neg(terms.amount), { price, rate: terms.taker === "sell" ? taker : maker });
      if (terms.taker === "buy") sell();
      book(buyer, contract, terms.amount, { price, rate: terms.taker === "buy" ? taker : maker });
      if (terms.taker === "sell") sell();
    },
    move([source, target], contract, amount, price) {
      book(source, contract, neg(amount), { price, rate: ZERO });
      book(target, contract, amount, { price, rate: ZERO });
    },
    fund(contract, interest) {
      const { index } = quoteOf(contract);
      each((_, { name }, holding) => {
        if (name !== contract.name) return;
        const worth = contract.kind === "inverse" ? div(holding.size, index) : mul(holding.size, index);
        holding.funding = sub(holding.funding, mul(worth, interest));
      });
    },
    settle() {
      each((account, contract, holding) => {
        const { mark } = quoteOf(contract);
        const { unrealized, realized } = shown(contract, holding, mark);
        if (!isOption(contract)) give(account, contract.money, add(unrealized, realized));
        if (!isOption(contract)) give(feeAccount, contract.money, neg(add(unrealized, realized)));
        Object.assign(holding, { sessionEntry: mark, realized: ZERO, funding: ZERO });
      });
    },
    deliver(contract, price) {
      each((account, { name }, holding) => {
        if (name !== contract.name) return;
        const last = isOption(contract) ? payout(contract, price) : price;
        const { unrealized, realized } = shown(contract, holding, last);
        const paid = isOption(contract) ? eight(mul(holding.size, last)) : add(unrealized, realized);
        const change = sub(paid, fee(contract, fees(contract)[2], holding.size, { price: last, index: price }));
        give(account, contract.money, change);
        give(feeAccount, contract.money, neg(change));
        holdings.get(account)!.delete(name);
      });
    },
    deposit(account, currency, amount) {
      give(market, currency, neg(amount));
      give(account, currency, amount);
    },
    transfer(from, to, currency, amount) {
      give(from, currency, neg(amount));
      give(to, currency, amount);
    },
    equity: (account, currency) =>
      add(
        balances(account, currency),
        ofAccount(account, currency, (contract) => {
          const { unrealized, realized, size } = position(account, contract);
          return isOption(contract) ? eight(mul(size, quoteOf(contract).mark)) : add(unrealized, realized);
        }),
      ),
    delta: (account, currency) =>
      ofAccount(account, currency, (contract, { size }) => netDelta(contract, size, quoteOf(contract))),
  };
}
