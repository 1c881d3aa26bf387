import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { isRealMoney } from "../../state/records.ts";

/** Whether a connection is production with an account, whose changes need Allow Changes…. */
export function canAllowChanges({ environment, record }: Pick<LiveConnection, "environment" | "record">): boolean {
  return isRealMoney(environment) && record.grant !== "none";
}

/** Whether a connection has an account whose trades need Allow Trading…. The simulator needs no permission. */
export function needsTradingPermission({
  environment,
  record,
}: Pick<LiveConnection, "environment" | "record">): boolean {
  return environment !== "simulator" && record.grant !== "none";
}

/** Whether a permission to trade was given for a connection. */
export function isTrading({ environment, gate }: Pick<LiveConnection, "environment" | "gate">): boolean {
  return environment !== "simulator" && gate.trading !== undefined;
}
