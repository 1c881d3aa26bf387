import { isOfferedAt } from "../../catalogue/index.ts";
import {
  createGatewayAccess,
  seededGatewayKey,
  USUAL_GATEWAY,
  type GatewayAccess,
  type GatewayBehaviour,
  type GatewayKey,
} from "../access/gatewayAccess.ts";
import type { AccountRegister } from "../accounts/accountRegister.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import { createSlots } from "../accounts/slots.ts";
import type { HandlerPorts } from "../methods/handlers.ts";
import { createIsolatedRouting, type IsolatedRouting } from "../methods/isolatedMethods.ts";
import type { DisconnectsPorts } from "../sessions/disconnects.ts";
import type { DispatcherPorts } from "./dispatcher.ts";
import { createIsolatedControl, type IsolatedControl } from "./isolatedControl.ts";

/* The parts that a played gateway has beside those of the exchange. */

/** What decides which server is played, and how. */
export interface GatewayOptions {
  /** Plays the partner's gateway, with this behavior where it is not usual. */
  readonly gateway?: Partial<GatewayBehaviour> | undefined;
  /** The key of a played gateway (default: one that follows from the seed). */
  readonly gatewayKey?: GatewayKey | undefined;
  /**
   * Whether cancel-on-disconnect cancels trigger orders too; yes when left out. The exchange documents "all orders",
   * and names no sort of them. https://docs.deribit.com/api-reference/session-management/private-enable_cancel_on_disconnect
   */
  readonly disconnectCancelsTriggers?: boolean;
}

/** The time without a message of its client after which the gateway closes a socket. */
const GATEWAY_SILENCE_MS = 30_000;

/** Returns the time after which a silent connection is closed, where that is not the usual one. */
export function silenceOf({ gateway }: GatewayOptions): number | undefined {
  return gateway === undefined ? undefined : GATEWAY_SILENCE_MS;
}

/** Returns the key of a played gateway. */
export function gatewayKeyOf({
  gateway,
  gatewayKey,
  seed = 1,
}: GatewayOptions & { readonly seed?: number }): GatewayKey | undefined {
  return gateway === undefined ? undefined : (gatewayKey ?? seededGatewayKey(seed));
}

/** Makes the sign-in of a played gateway. */
export function createGateway(
  { clock, random, gateway }: GatewayOptions & Pick<GatewayPorts, "clock" | "random">,
  ports: Pick<GatewayPorts, "tokens" | "apiKeys" | "key">,
): GatewayAccess {
  return createGatewayAccess({ ...ports, clock, random, behaviour: { ...USUAL_GATEWAY, ...gateway } });
}

/** Whether the played server, of either kind, has a method. */
export function isPlayed(name: string, gateway: GatewayAccess | undefined): boolean {
  return gateway !== undefined || isOfferedAt(name, "native");
}

/** Returns which orders cancel-on-disconnect reaches. */
export function disconnectCover(
  { disconnectCancelsTriggers = true }: GatewayOptions,
  accounts: AccountRegister,
  gateway: GatewayAccess | undefined,
): Pick<DisconnectsPorts, "coversTriggers" | "covers"> {
  return {
    coversTriggers: disconnectCancelsTriggers,
    covers: (id) => accounts.find(id)?.isolatedOf === undefined || gateway?.behaviour.disconnectReachesSlots === true,
  };
}

interface IsolatedPorts extends Pick<HandlerPorts, "accounts" | "venue" | "clock" | "publisher" | "gateway"> {
  readonly own: readonly SimulatedAccount[];
  readonly handlersOf: DispatcherPorts["handlersOf"];
}

type GatewayPorts = Parameters<typeof createGatewayAccess>[0];

/** Isolated margin as the dispatcher and the control need it. */
export interface Isolated {
  readonly handlerOf: IsolatedRouting["handlerOf"];
  readonly control: IsolatedControl;
}

/** Makes isolated margin, which a played gateway has. What is no longer needed of a slot ends with each flush. */
export function createIsolated(ports: IsolatedPorts): Isolated {
  const { accounts, venue, clock, publisher, gateway, own } = ports;
  const slots = createSlots({ accounts, venue, nowMs: () => clock.now() });
  const mainId = accounts.main.id;
  const routing =
    gateway &&
    createIsolatedRouting({
      ...{ slots, venue, mainId, behaviour: gateway.behaviour },
      handlersOf: (account) => ports.handlersOf(mainId, account),
    });
  if (routing !== undefined) publisher.beforeFlush(() => slots.recycle());
  const handlerOf: IsolatedRouting["handlerOf"] = (method, params) => routing?.handlerOf(method, params);
  const flush = (): void => publisher.flush();
  return { handlerOf, control: createIsolatedControl({ accounts: own, register: accounts, handlerOf, flush }) };
}
