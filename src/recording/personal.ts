import { camelCase, scanWireText } from "../rpc/maskSecrets.ts";
import { createJsonScanner, type Span } from "../rpc/scanJson.ts";
import { isAboutAccount } from "./recording.ts";

/** The sort of a secret or personal value. Values of one kind share their replacements. */
export type PersonalKind = "secret" | "account" | "client" | "email" | "name" | "address" | "key" | "label" | "place";

/**
 * The names of members with personal values, at any depth, in addition to the secrets of `rpc/maskSecrets.ts`. What is
 * in a label, a note, or the name of a group is the user's own text.
 */
const NAMES: Readonly<Record<PersonalKind, string>> = {
  secret: "challenge,proof_id_signature",
  account: "user_id,subaccount_id,subject_id,member_id,uid,sid,source_uid,target_uid,broker_sub_user_id,referrer_id",
  client: "client_id",
  email: "email,not_confirmed_email",
  name:
    "username,user_name,system_name,account_name,session_name,nickname,first_name,last_name,company_name,originator," +
    "beneficiary_first_name,beneficiary_last_name,beneficiary_company_name,beneficiary_vasp_name,beneficiary_vasp_did," +
    "beneficiary_vasp_website,client_link_name,broker_name,app_name,other_side,counterparty",
  address: "address,deposit_address,beneficiary_address,transaction_id,refund_transaction_id",
  key: "public_key,proof_id",
  label: "label,note,tag,mmp_group,quote_set_id,client_info,client_order_id,starbase_client_order_id",
  place: "ip,ip_whitelist,city,country",
};

/** Names that are personal in what is about an account, and words of the exchange elsewhere. */
const ACCOUNT_NAMES: Readonly<Partial<Record<PersonalKind, string>>> = { name: "name,taker,maker,makers" };

/** Methods in whose parameters and results `id` is the ID of an account. */
const ACCOUNT_ID = /^private\/(?:get_account_summar|get_subaccounts$|create_subaccount$)/;

type Scanner = (text: string) => { readonly secrets: readonly Span[] };

const EVERYWHERE = scannersOf({});
const OF_ACCOUNT = scannersOf(ACCOUNT_NAMES);
const WITH_ACCOUNT_ID = scannersOf({ ...ACCOUNT_NAMES, account: "id" });

function scannersOf(more: typeof ACCOUNT_NAMES): readonly (readonly [PersonalKind, Scanner])[] {
  const kinds = Object.keys(NAMES) as PersonalKind[];
  const named = kinds.map((kind): readonly [PersonalKind, Scanner] => {
    const names = [NAMES[kind], more[kind]].flatMap((each) => each?.split(",") ?? []);
    return [kind, createJsonScanner({ members: [], secrets: names.flatMap((name) => [name, camelCase(name)]) })];
  });
  return [["secret", scanWireText], ...named];
}

/** A place of a personal value in a text. */
export interface PersonalSpan extends Span {
  readonly kind: PersonalKind;
}

/**
 * Returns the places of secret and personal values in a JSON text, in their order. `origin`: the method or channel that
 * the text belongs to.
 */
export function personalSpans(text: string, origin: string): readonly PersonalSpan[] {
  return scannersFor(origin)
    .flatMap(([kind, scan]) => scan(text).secrets.map((span) => ({ ...span, kind })))
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

function scannersFor(origin: string): typeof EVERYWHERE {
  if (ACCOUNT_ID.test(origin)) return WITH_ACCOUNT_ID;
  return isAboutAccount(origin) ? OF_ACCOUNT : EVERYWHERE;
}

const ALL_NAMES: ReadonlySet<string> = new Set(Object.values(NAMES).join(",").split(","));

/** Whether a parameter has a personal value, which in a recording is another one than its caller's. */
export function isPersonalParam(name: string): boolean {
  return ALL_NAMES.has(name);
}
