import { bareName } from "../base/spelling.ts";

/*
 * Which members of requests, responses, and events carry personal data: the exchange documents them, and a test asks of
 * each member of every method and channel whether it does. Secrets are marked in the schemas (`fields.ts`).
 */

/** The sort of a secret or personal value. Values of one kind share their replacements. */
export type PersonalKind = "secret" | "account" | "client" | "email" | "name" | "address" | "key" | "label" | "place";

/** The documented members with personal data, wherever they are. A label or a note is the user's own text. */
const EVERYWHERE: Readonly<Record<PersonalKind, string>> = {
  secret: "challenge",
  account:
    "user_id,subaccount_id,subject_id,member_id,uid,sid,source_uid,target_uid,main_uid,main_user_id," +
    "broker_sub_user_id,referrer_id",
  client: "client_id",
  email: "email,not_confirmed_email",
  name:
    "username,user_name,system_name,account_name,session_name,nickname,first_name,last_name,company_name,originator," +
    "beneficiary_first_name,beneficiary_last_name,beneficiary_company_name,beneficiary_vasp_name,beneficiary_vasp_did," +
    "beneficiary_vasp_website,client_link_name,client_name,broker_name,broker_code,app_name,other_side,counterparty," +
    "identity,taker,maker,makers,destination,link,brn,lei",
  address:
    "address,deposit_address,beneficiary_address,source_address,withdrawal_address,pending_withdrawal_addres," +
    "transaction_id,refund_transaction_id",
  key: "public_key,proof_id,proof_id_signature,external_id,client_link_id",
  label:
    "label,note,tag,mmp_group,quote_set_id,client_info,client_order_id,starbase_client_order_id,query," +
    "additional_information",
  place: "ip,ip_whitelist,city,country",
};

/** The members that are personal in some methods and channels only. */
const SOMEWHERE: readonly {
  readonly origin: RegExp;
  readonly names: Readonly<Partial<Record<PersonalKind, string>>>;
}[] = [
  // Elsewhere the name of an index or a currency.
  { origin: /^(?:private\/|user\.|block_rfq\.|block_trade_confirmations)/, names: { name: "name" } },
  // Elsewhere the ID of an order, a trade, or a key.
  { origin: /^private\/(?:get_account_summar|get_subaccounts$|create_subaccount$)/, names: { account: "id" } },
  // Whatever an event is about: other users, keys, addresses.
  { origin: /^(?:private\/get_access_log|user\.access_log)$/, names: { label: "data" } },
  // What was signed is the user's own text. The JWT of a gateway is a secret; elsewhere a token may be a currency.
  { origin: /^public\/auth$/, names: { label: "data,state,nonce", secret: "token" } },
];

const KINDS = byName(EVERYWHERE);
const KINDS_SOMEWHERE = SOMEWHERE.map(({ origin, names }) => ({ origin, kinds: byName(names) }));

function byName(names: Readonly<Partial<Record<PersonalKind, string>>>): ReadonlyMap<string, PersonalKind> {
  return new Map(
    Object.entries(names).flatMap(([kind, list]) =>
      list.split(",").map((name): [string, PersonalKind] => [bareName(name), kind as PersonalKind]),
    ),
  );
}

/**
 * Returns the kind of personal data that a documented member carries, however its name is spelled; undefined for all
 * others. `origin`: the method or channel.
 */
export function documentedKind(name: string, origin: string): PersonalKind | undefined {
  const bare = bareName(name);
  const somewhere = KINDS_SOMEWHERE.find((each) => each.kinds.has(bare) && each.origin.test(origin));
  return somewhere?.kinds.get(bare) ?? KINDS.get(bare);
}
