import type { AccountIdentity } from "./accounts.ts";

/** What an owner set for an account. */
export interface AccountSettings {
  readonly username: string;
  readonly email: string;
  readonly isLoginEnabled: boolean;
  /** Whether the main account gets the notifications of the account. */
  readonly receivesNotifications: boolean;
  /** The language of e-mails. */
  readonly language: string;
  /** What happens where the account would trade with itself. */
  readonly selfTrading: "reject_taker" | "cancel_maker";
  /** Whether orders of other accounts of the owner count as its own there. */
  readonly isSelfTradingExtended: boolean;
  readonly isBlockRfqSelfMatchPrevented: boolean;
  /** The instrument that a hidden subaccount of isolated margin serves at present. */
  readonly isolatedInstrument?: string | undefined;
}

/** An account with its settings. */
export interface AccountProfile extends AccountIdentity, AccountSettings {
  /** The name that the exchange gave. */
  readonly systemName: string;
  readonly createdAtMs: number;
}

/** The accounts of the owner with their settings, the main account first. */
export interface AccountRegister {
  readonly main: AccountProfile;
  all(): readonly AccountProfile[];
  find(id: number): AccountProfile | undefined;
  /**
   * Opens a subaccount, or returns undefined where there are as many as there may be. `isIsolated`: a hidden one, for
   * isolated margin.
   */
  open(nowMs: number, isIsolated?: boolean): AccountProfile | undefined;
  /** Changes settings of an account; returns whether there is one. */
  change(id: number, changes: Partial<AccountSettings>): boolean;
  /** Has a function called with each account that is opened from now on, before it is handed out. */
  onOpened(listener: (account: AccountProfile) => void): void;
  /** Removes a subaccount. */
  close(id: number): void;
}

/** The exchange's limit. https://docs.deribit.com/articles/managing-subaccounts-api */
const MAX_SUBACCOUNTS = 20;

/** Makes a register of these accounts. */
export function createAccountRegister(
  identities: readonly [AccountIdentity, ...AccountIdentity[]],
  nowMs: number,
): AccountRegister {
  const listeners: ((account: AccountProfile) => void)[] = [];
  const [first, ...others] = identities;
  const profiles = new Map(identities.map((each) => [each.id, profileOf(each, nowMs)]));
  let lastId = Math.max(first.id, ...others.map(({ id }) => id));
  return {
    get main() {
      return profiles.get(first.id) ?? profileOf(first, nowMs);
    },
    all: () => [...profiles.values()],
    find: (id) => profiles.get(id),
    open(atMs, isIsolated = false) {
      if (profiles.size > MAX_SUBACCOUNTS) return undefined;
      const id = ++lastId;
      const identity = { id, type: "subaccount", username: `${first.username}_${id}` } as const;
      const profile = profileOf(isIsolated ? { ...identity, isolatedOf: first.id } : identity, atMs);
      profiles.set(id, profile);
      for (const listener of listeners) listener(profile);
      return profile;
    },
    change(id, changes) {
      const profile = profiles.get(id);
      if (profile !== undefined) profiles.set(id, { ...profile, ...changes });
      return profile !== undefined;
    },
    onOpened: (listener) => void listeners.push(listener),
    close: (id) => profiles.delete(id),
  };
}

function profileOf(identity: AccountIdentity, createdAtMs: number): AccountProfile {
  return {
    ...identity,
    systemName: identity.username,
    createdAtMs,
    email: `${identity.username}@example.com`,
    isLoginEnabled: true,
    receivesNotifications: false,
    language: "en",
    selfTrading: "reject_taker",
    isSelfTradingExtended: false,
    isBlockRfqSelfMatchPrevented: true,
  };
}
