import { documentedKind, type PersonalKind } from "../catalogue/personal.ts";
import { nameWords } from "../base/spelling.ts";
import { isSecretName, mayNameSecret } from "../rpc/maskSecrets.ts";

/**
 * Returns the kind of the secret or personal data that a member carries: by the marks of the catalogue, and by the name
 * of a member that it does not know. Undefined for a member with other data. `origin`: the method or channel.
 */
export function personalKind(name: string, origin: string): PersonalKind | undefined {
  if (isSecretName(name)) return "secret";
  const kind = documentedKind(name, origin);
  if (kind !== undefined || OF_OTHER_DATA.has(name)) return kind;
  return mayNameSecret(name) ? "secret" : kindByWords(nameWords(name));
}

/** Whether a parameter has a personal value, which in a recording is another one than its caller's. */
export function isPersonalParam(name: string, method: string): boolean {
  return personalKind(name, method) !== undefined;
}

/** Returns what the words of a name that the catalogue does not know say of its value. */
function kindByWords(all: readonly string[]): PersonalKind | undefined {
  const isIn = (known: ReadonlySet<string>): boolean =>
    all.some((word) => known.has(word) || known.has(word.replace(/s$/, "")));
  if (isIn(OF_MARKET)) return undefined;
  const kind = OF_KIND.find(([, known]) => isIn(known))?.[0];
  return kind === "name" && isIn(OF_ID) ? "account" : kind;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(","));

/** Words of names that are about the market, the program, or figures, such as `instrument_name`. */
const OF_MARKET = words(
  "instrument,index,currency,symbol,pair,product,network,method,channel,kind,type,state,status,order,trade," +
    "commission,fee,amount,price,volume,rate,rating,count,number,enabled,role,limit,margin,pnl,leverage," +
    "liquidity,fill,version",
);
/** Documented members with other data, although their names have a word of persons. */
const OF_OTHER_DATA = words(
  "name,include_subaccounts,extended_to_subaccounts,accounts,members,is_maker,users,user_seq,withdrawal_address_change," +
    "available_subaccount_transfer_funds,google_login",
);
const OF_ID = words("id,uid,no");
const OF_KIND: readonly (readonly [PersonalKind, ReadonlySet<string>])[] = [
  ["email", words("email,mail")],
  [
    "place",
    words("ip,ipv4,ipv6,city,country,region,street,zip,postal,location,geo,latitude,longitude,hostname,device,agent"),
  ],
  ["address", words("address,addres,addresse,addr,wallet,txid,tx,hash,iban,memo")],
  ["account", words("uid,account,subaccount,member,customer")],
  [
    "name",
    words(
      "name,username,user,nick,nickname,identity,owner,holder,person,beneficiary,originator,counterparty," +
        "trader,maker,taker,firstname,lastname,surname,phone,telephone,birthday,birth,passport,company," +
        "broker,referrer,referral,alias,handle,contact,telegram,kyc,client,sender,recipient,login",
    ),
  ],
  ["key", words("external,fingerprint")],
  ["label", words("label,note,comment,remark,tag")],
];
