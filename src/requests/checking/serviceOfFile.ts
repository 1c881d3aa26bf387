import type { Service } from "../../catalogue/index.ts";
import type { Connection } from "../../state/connections.ts";
import { isGatewayRecord, type Environment } from "../../state/records.ts";
import type { RequestFile } from "../file/file.ts";

/** The connection that a file is sent to, as far as its check needs it. */
type Target = Pick<Connection, "environment" | "record" | "state">;

/** Returns the kind of server that a file is for: that of its target, unless the file can't be sent there. */
export function serviceOfFile({ pin }: Pick<RequestFile, "pin">, target?: Target): Service {
  const environments = pin.kind === "only" ? pin.environments : undefined;
  if (target !== undefined && environments?.includes(target.environment) !== false)
    return isGatewayRecord(target.record) || playsGateway(target.state) ? "gateway" : "native";
  const isForGateway = environments !== undefined && environments.length > 0 && environments.every(isGateway);
  return isForGateway ? "gateway" : "native";
}

function isGateway(environment: Environment): boolean {
  return environment === "gateway";
}

function playsGateway(state: Target["state"]): boolean {
  return state.status === "ready" && state.identity.isGateway === true;
}
