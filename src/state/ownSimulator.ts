import { isLoopback } from "../rpc/address.ts";
import type { SessionState } from "../session/session.ts";
import { SIMULATOR_ID, type ConnectionRecord } from "./records.ts";

/** Whether a server was started from here, or is on this computer with our simulator's name and our simulator's key. */
export function isOwnSimulator(record: ConnectionRecord, state: SessionState | undefined): boolean {
  if (record.id === SIMULATOR_ID) return true;
  if (state?.status !== "ready" || !isLoopback(record.url)) return false;
  return (
    state.identity.clientId === SIMULATOR_CLIENT_ID &&
    (state.identity.serverVersion ?? "").startsWith(SIMULATOR_VERSION_START)
  );
}

/** The name that the simulator gives its key and itself. */
const SIMULATOR_CLIENT_ID = "simulator";
const SIMULATOR_VERSION_START = "simulator ";
