import { currenciesText, CURRENCY_NAMES } from "../market/currencies.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";

type AccountSettingMethod =
  | "private/get_access_log"
  | "private/get_user_locks"
  | "public/status"
  | "private/get_currencies"
  | "private/get_email_language"
  | "private/set_email_language"
  | "private/set_self_trading_config"
  | "private/get_new_announcements"
  | "public/get_announcements";

const DEFAULT_ENTRIES = 20;

/** Makes the methods for what an account set, and for what the exchange tells it. */
export function accountSettingMethods({
  id,
  accounts,
  accessLog,
}: HandlerPorts): Pick<MethodHandlers, AccountSettingMethod> {
  return {
    "private/get_access_log": ({ params: { offset = 0, count = DEFAULT_ENTRIES } }) => {
      const start = Math.max(0, offset);
      return `[${accessLog
        .entries(id)
        .slice(start, start + count)
        .join(",")}]`;
    },
    "private/get_user_locks": () => writeJson(CURRENCY_NAMES.map((currency) => ({ currency, locked: false }))),
    "public/status": () => writeJson({ locked: "false", locked_indices: [] }),
    "private/get_currencies": currenciesText,
    "private/get_email_language": () => writeJson(accounts.find(id)?.language ?? ""),
    "private/set_email_language": ({ params: { language } }) => {
      if (!LANGUAGES.includes(language)) throw invalidParam("language", "invalid language");
      accounts.change(id, { language });
      return writeJson("ok");
    },
    "private/set_self_trading_config": ({ params, authorisation }) => {
      const { mode, extended_to_subaccounts: isSelfTradingExtended } = params;
      if (mode !== "reject_taker" && mode !== "cancel_maker") throw invalidParam("mode", "invalid mode");
      if (isSelfTradingExtended && authorisation?.subject !== accounts.main.id) throw refusal(13_012);
      const { block_rfq_self_match_prevention: isBlockRfqSelfMatchPrevented } = params;
      const blockRfq = isBlockRfqSelfMatchPrevented === undefined ? {} : { isBlockRfqSelfMatchPrevented };
      // Extended, the setting is that of every account of the owner.
      const changed = isSelfTradingExtended ? accounts.all() : accounts.all().filter((each) => each.id === id);
      for (const account of changed)
        accounts.change(account.id, { selfTrading: mode, isSelfTradingExtended, ...blockRfq });
      return writeJson("ok");
    },
    "private/get_new_announcements": () => "[]",
    "public/get_announcements": () => "[]",
  };
}

/** The exchange's languages. https://docs.deribit.com/api-reference/account-management/private-set_email_language */
const LANGUAGES = ["en", "ko", "zh", "ja", "ru"];
