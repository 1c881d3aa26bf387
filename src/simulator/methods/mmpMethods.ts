import { MMP_INDEXES } from "../../catalogue/values.ts";
import { invalidParam } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { freezeReason, mmpText } from "../accounts/mmp.ts";

type MmpMethod = Extract<keyof MethodHandlers, `private/${string}_mmp${string}`>;

/** Makes the methods of market maker protection. */
export function mmpHandlers({ mmp }: HandlerPorts): Pick<MethodHandlers, MmpMethod> {
  return {
    "private/get_mmp_config": ({ params }) => {
      refuseUnknown(params.index_name);
      return `[${mmp.configs(params).map(mmpText).join(",")}]`;
    },
    "private/get_mmp_status": ({ params }) => {
      refuseUnknown(params.index_name);
      return `[${mmp.frozen(params).map(freezeReason).join(",")}]`;
    },
    "private/set_mmp_config": ({ params }) => {
      refuseUnknown(params.index_name);
      if (params.index_name === "all") throw invalidParam("index_name", "invalid index_name");
      for (const name of LIMITS) if (!hasFewDecimals(params[name])) throw invalidParam(name, "at most 4 decimals");
      if (params.trade_count_limit !== undefined && params.block_rfq !== true)
        throw invalidParam("trade_count_limit", "only for block_rfq");
      return `[${mmp.configure(params).map(mmpText).join(",")}]`;
    },
    "private/reset_mmp": ({ params }) => {
      refuseUnknown(params.index_name);
      if (params.index_name === "all" && params.block_rfq !== true)
        throw invalidParam("index_name", "all is only for block_rfq");
      // Left out, the group is that of regular orders.
      mmp.reset({ ...params, mmp_group: params.mmp_group ?? (params.block_rfq === true ? undefined : "") });
      return '"ok"';
    },
  };
}

const LIMITS = ["quantity_limit", "delta_limit", "vega_limit"] as const;
const DECIMALS = 4;

function hasFewDecimals(value: number | undefined): boolean {
  return value === undefined || Number(value.toFixed(DECIMALS)) === value;
}

function refuseUnknown(index: string | undefined): void {
  if (index !== undefined && !(MMP_INDEXES as readonly string[]).includes(index))
    throw invalidParam("index_name", "invalid index_name");
}
