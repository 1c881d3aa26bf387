import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { AnyReadMethod, ParamsOf } from "../../catalogue/index.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { Reader } from "../../session/session.ts";
import type { TrialName } from "../../session/signInTrials.ts";

/** A read that shows something. It can be made with a reader alone, which changes nothing. */
export interface ProbeRead {
  readonly method: AnyReadMethod;
  readonly send: (reader: Reader) => Promise<MaskedResponse>;
}

/** A point that the pages of the gateway leave open, with what shows it. */
interface OpenPoint {
  readonly question: Plain;
  readonly trials: readonly TrialName[];
  readonly reads: readonly ProbeRead[];
}

function read<M extends AnyReadMethod>(method: M, params: ParamsOf<M>): ProbeRead {
  return { method, send: async (reader) => await reader.readResponse(method, params, { lane: "userRead" }) };
}

const CURRENCY = "USDC";
const INSTRUMENT = "BTC_USDC-PERPETUAL";

/** Returns the points that a sign-in or a read can show. */
export function shownPoints(): readonly OpenPoint[] {
  const point = (question: Plain, shownBy: Partial<Omit<OpenPoint, "question">>): OpenPoint => ({
    ...{ question, trials: [], reads: [] },
    ...shownBy,
  });
  return [
    point(l10n.t("Members of the response to a sign-in on a socket, and the lifetime of the sign-in"), {
      trials: ["usual"],
    }),
    point(l10n.t("Whether a token is accepted a second time"), { trials: ["usedBefore"] }),
    point(l10n.t("Whether the address in a token is checked"), { trials: ["otherAddress"] }),
    point(l10n.t("Whether the clock may be wrong by 30 s"), { trials: ["ahead", "expired"] }),
    point(l10n.t("Methods whose scope is not documented"), {
      reads: [
        read("private/get_leverage", {}),
        read("private/get_max_order_size", { instrument_name: INSTRUMENT }),
        read("private/get_trading_limits", { currency: CURRENCY }),
        read("private/get_subaccounts_details", { currency: CURRENCY }),
      ],
    }),
    point(l10n.t("Results that are not documented"), {
      reads: [
        read("private/get_pme_params", { currency: CURRENCY }),
        read("private/get_risk_profile", {}),
        read("public/tickers_by_currency", { currency: CURRENCY }),
      ],
    }),
    point(l10n.t("Whether locks and broker trades can be read"), {
      reads: [
        read("private/get_user_locks", {}),
        read("private/get_broker_trades", {}),
        read("private/get_broker_trade_requests", {}),
      ],
    }),
    point(l10n.t("Subaccounts of isolated positions, and the limits of the account"), {
      reads: [read("private/get_subaccounts", {}), read("private/get_account_summaries", {})],
    }),
    point(l10n.t("Response to a method that is not offered"), {
      reads: [read("private/get_mmp_config", {}), read("private/get_block_rfqs", {})],
    }),
  ];
}

/** Returns the points that only a change, an event, a limit, or a long wait would show. None of them is tried. */
export function stillOpenPoints(): readonly Plain[] {
  return [
    l10n.t("Response of a socket whose sign-in has expired"),
    l10n.t("Code of the error about an order of another account"),
    l10n.t("Effect of cancel-on-disconnect on isolated orders"),
    l10n.t("Whether isolated positions are possible in a regular subaccount"),
    l10n.t("Rate limits, and the code with which a connection is closed for them"),
    l10n.t("End of a socket after a request of more than 32 kB, and without messages"),
    l10n.t("Events of user.position_lock and user.trailing_orders.trigger_price"),
    l10n.t("Error of a key that is used from an address that it does not allow"),
    l10n.t("Whether the exchange itself has isolated margin"),
  ];
}
