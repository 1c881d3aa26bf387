import type { Disposable } from "../base/emitter.ts";
import { readRow } from "../catalogue/index.ts";
import { createKnownList, type KnownList } from "./knownList.ts";
import type { ResourcePorts } from "./resource.ts";

/** An account of the owner. */
export interface KnownAccount {
  readonly id: number;
  /** The name; empty where it is not known. Text from outside. */
  readonly name: string;
  /** The type in the exchange's word: `main` or `subaccount`. */
  readonly type: string;
}

/** The names and IDs that requests use and that hardly ever change. Each list costs one read request. */
export interface KnownLists extends Disposable {
  readonly currencies: KnownList<string>;
  readonly indexNames: KnownList<string>;
  /** The accounts of the owner; a subaccount sees only itself. */
  readonly accounts: KnownList<KnownAccount>;
}

/** Makes the lists. None is read before it is asked for. */
export function createKnownLists(ports: ResourcePorts): KnownLists {
  const lists = {
    currencies: createKnownList(
      {
        name: "currencies",
        method: "public/get_currencies",
        params: {},
        read: (elements) =>
          elements.flatMap((each) => {
            const { currency } = (each ?? {}) as { readonly currency?: unknown };
            return typeof currency === "string" ? [currency] : [];
          }),
      },
      ports,
    ),
    indexNames: createKnownList(
      {
        name: "indexes",
        method: "public/get_index_price_names",
        params: {},
        read: (elements) => elements.filter((each) => typeof each === "string"),
      },
      ports,
    ),
    accounts: createKnownList(
      {
        name: "accounts",
        method: "private/get_subaccounts",
        params: {},
        read: (elements) =>
          elements.flatMap((each) => {
            const { id, username = "", type = "" } = readRow("subaccount", each) ?? {};
            return id === undefined ? [] : [{ id, name: username, type }];
          }),
      },
      ports,
    ),
  };
  return {
    ...lists,
    dispose() {
      for (const each of Object.values<Disposable>(lists)) each.dispose();
    },
  };
}
