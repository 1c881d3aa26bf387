import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable, Event } from "../../base/emitter.ts";
import { silentLog, type Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import { SYSTEM_MAINTENANCE } from "../../catalogue/codes.ts";
import { SECOND_MS } from "../../exchange/market/calendar.ts";
import type { Transport } from "../../rpc/transport.ts";
import { accountHandlers, positionMethods } from "../methods/accountMethods.ts";
import { createAccountRegister, type AccountRegister } from "../accounts/accountRegister.ts";
import { ACCOUNTS } from "../accounts/accounts.ts";
import { createAccountControl } from "../accounts/accountControl.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import { subaccountMethods } from "../methods/subaccountMethods.ts";
import { transactionMethods, transferMethods } from "../methods/transactionMethods.ts";
import { createAccessLog } from "../accounts/accessLog.ts";
import { blockTradeHandlers } from "../methods/blockTradeMethods.ts";
import type { DetailedForm } from "../market/blockRfqs.ts";
import { createBlockTradeSignatures } from "../market/blockTradeSignatures.ts";
import { cancelMethods, createQuoteFreeze } from "../methods/cancelMethods.ts";
import { createDisconnects } from "../sessions/disconnects.ts";
import type { GatewayDoor, Outlet } from "../sessions/connection.ts";
import { createOrderControl, type Control, type MethodRange } from "./control.ts";
import type { DescribedAccount } from "./accountFile.ts";
import { createDispatcher, type DispatcherPorts } from "./dispatcher.ts";
import { runControl } from "./controlRoutes.ts";
import { readFaults } from "./faultFile.ts";
import { createFaults, type Faults, type UsedFault } from "./faults.ts";
import type { HandlerPorts, MethodHandlers } from "../methods/handlers.ts";
import { createHeartbeats } from "../sessions/heartbeat.ts";
import { marketHandlers } from "../methods/marketMethods.ts";
import { chartMethods } from "../methods/chartMethods.ts";
import { instrumentMethods } from "../methods/instrumentMethods.ts";
import { indexMethods } from "../methods/indexMethods.ts";
import { keyMethods } from "../methods/keyMethods.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import {
  createGateway,
  createIsolated,
  disconnectCover,
  gatewayKeyOf,
  isPlayed,
  silenceOf,
  type GatewayOptions,
  type Isolated,
} from "./gatewayParts.ts";
import { createOtherOrdersControl } from "./otherOrders.ts";
import { createLimits } from "./limits.ts";
import { createListing } from "../market/listing.ts";
import { createMarket } from "../market/market.ts";
import { settlementMethods } from "../methods/settlementMethods.ts";
import { mmpHandlers } from "../methods/mmpMethods.ts";
import { createOdd } from "../sessions/odd.ts";
import { refusedReason } from "../methods/methodTable.ts";
import { quoteMethods } from "../methods/quoteMethods.ts";
import { orderHandlers, userTradeHandlers } from "../methods/orderMethods.ts";
import { tradingHandlers } from "../methods/tradingMethods.ts";
import { createPublisher, type Publisher } from "../sessions/publisher.ts";
import type { IncomingFrame } from "./requests.ts";
import { createDemo, DEFAULT_ORDERS, type Demo, type DemoPorts } from "../demo/demo.ts";
import {
  createRouting,
  createVenueNews,
  createKeys,
  createMotion,
  createAccounts,
  createTradingVenue,
  type OwnAccounts,
} from "./parts.ts";
import type { GatewayBehaviour, GatewayKey } from "../access/gatewayAccess.ts";
import { requireServed } from "../sessions/gatewayDoors.ts";
import { createSecondFactor } from "../access/secondFactor.ts";
import { errorName, invalidParam } from "../text/errors.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";
import { sessionHandlers } from "../methods/sessionMethods.ts";
import { createSwitchboard, createStateWatch, type StateWatch } from "./switchboard.ts";
import { createTokens, type Tokens } from "../access/tokens.ts";
import type { Venue } from "../market/venue.ts";

/** The simulated exchange: clients cannot tell it from the testnet, but for its version. */
export interface Exchange extends Disposable {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key that it hands out, where it plays the gateway. */
  readonly gatewayKey?: GatewayKey | undefined;
  /** The behavior of a played gateway, for tests. */
  readonly gateway?: GatewayBehaviour | undefined;
  /** Serves one connection until it closes. `door`: the socket of a played gateway. */
  accept(transport: Transport, door?: GatewayDoor): void;
  /** Serves one HTTP request; the response goes to the outlet, with the error's code where it is one. */
  respondOverHttp(frame: IncomingFrame, outlet: Outlet): void;
  /** Whether connections are sent away at present; a server checks it before it takes one. */
  readonly isRefusing: boolean;
  /** The control, for tests. */
  readonly control: Control;
  /** Fires when a fault was used. */
  readonly onFault: Event<UsedFault>;
}

export interface ExchangeOptions extends GatewayOptions {
  readonly clock: Clock;
  /** The chance for tokens. The world has chances of its own, which follow from the seed. */
  readonly random: Random;
  /** The seed that decides the first world and its motion; 1 when left out. */
  readonly seed?: number;
  /** The number of open orders at the beginning; when left out 24, one of every sort, or none with `account`. */
  readonly orders?: number | undefined;
  /** The order updates a second by the demo; a human pace when left out. */
  readonly updatesPerSecond?: number;
  /** How often the market moves, in ms; each second when left out. The demo takes as much longer for each move. */
  readonly stepMs?: number;
  /** Whether prices stand still, and neither the others nor the demo trade on their own. */
  readonly still?: boolean;
  /** Whether the rate limits of the exchange hold; on when left out. */
  readonly limits?: boolean;
  readonly clientId?: string;
  /** The client secret; follows from the seed when left out. */
  readonly clientSecret?: string;
  /** The public key of the first key, as PEM; that one signs in with its private key then, and not with the secret. */
  readonly publicKey?: string;
  /** Whether a share of the responses and events has new words, and members of another type. */
  readonly odd?: boolean;
  /** What the main account begins with (default: some money and positions, with which the demo trades). */
  readonly account?: DescribedAccount | undefined;
  /** The maximum scope of the key; everything when left out. */
  readonly maxScope?: string;
  /** Whether spot is matched at the partner's exchange: orders are acknowledged first, and filled later. */
  readonly routedSpot?: boolean;
  /** The methods. `contract`: only those of the core specification, and public/auth; all when left out. */
  readonly methods?: MethodRange;
  /** The log for the simulator's own defects. */
  readonly log?: Log;
}

export function createExchange(options: ExchangeOptions): Exchange {
  const { clock, random, seed = 1, stepMs = SECOND_MS, log = silentLog } = options;
  const odd = options.odd === true ? createOdd(createSeededRandom(namedSeed(seed, "odd"))) : undefined;
  const publisher = createPublisher(clock, odd ?? ((text) => text), (account) => register.find(account)?.isolatedOf);
  const news = createVenueNews();
  const register = createAccountRegister(ACCOUNTS, clock.now());
  const routing =
    options.routedSpot === true ? createRouting({ clock, seed, publisher, venue: () => venue }) : undefined;
  const venue: Venue = createTradingVenue({
    ...{ clock, seed, stepMs, news, accounts: register, publisher, account: options.account },
    listing: createListing(clock.now()),
    send: routing?.send,
  });
  const market = createMarket({ seed, venue });
  const own = createAccounts({ clock, seed, publisher, venue, market, news, register });
  const { main, all: accounts } = own;
  const onDefect = (error: unknown): void => log.error(plain`The simulator failed: ${plain.text(String(error))}`);
  const flush = (): void => publisher.flush();
  const { demo, isDemoOn } = createOwnDemo(options, { account: main, onMoved: flush, onDefect });

  const accessLog = createAccessLog({ clock, publisher });
  const gatewayKey = gatewayKeyOf(options);
  const named = gatewayKey === undefined ? options : { ...options, clientId: gatewayKey.name };
  const { apiKeys, clientId, clientSecret } = createKeys({ ...named, seed, accessLog, owner: main.id });
  const secondFactor = createSecondFactor({ clock, random: createSeededRandom(namedSeed(seed, "challenges")) });
  const tokens = createTokens({ clock, random, mainAccount: main.id, isOwn: (id) => register.find(id) !== undefined });
  const gateway = gatewayKey && createGateway(options, { tokens, apiKeys, key: gatewayKey });
  const heartbeats = createHeartbeats(clock, silenceOf(options));
  const ledger = createLedger(clock);
  const faults = createFaults(createSeededRandom(namedSeed(seed, "faults")));
  const limits = createLimits(clock, options.limits !== false);
  const behaviour: Behaviour = {
    ...{ detailedForm: "list", methods: options.methods ?? "all" },
    ...{ doScopesEndTokens: false, isStill: options.still === true },
  };
  const signatures = createBlockTradeSignatures({
    clock,
    random: createSeededRandom(namedSeed(seed, "block trade signatures")),
    accounts,
    market,
  });
  const disconnects = createDisconnects({ accounts, ...disconnectCover(options, register, gateway) });
  const shared = { clock, apiKeys, tokens, publisher, heartbeats };
  const common = {
    ...shared,
    ...{ venue, signatures, accounts: register, accessLog, secondFactor, disconnects, gateway },
    changesOf: (account: number) => accounts.find(({ id }) => id === account)?.changes,
    openOrderTexts: (account: number, currency: string) => openOrderTexts(accounts, account, currency),
    detailedForm: () => behaviour.detailedForm,
    doScopesEndTokens: () => behaviour.doScopesEndTokens,
  };
  const handlers = createHandlersByAccount(common, own);
  const order = createSeededRandom(namedSeed(seed, "order of messages"));
  const dispatcher = createDispatcher({
    ...shared,
    ...{ random: order, limits, ledger, faults, account: main, odd, log },
    isolatedHandler: handlers.isolated.handlerOf,
    happen: (name, body) => void runControl(control, name, JSON.stringify(body)),
    isInMaintenance: () => venue.platform.isInMaintenance,
    handlersOf: handlers.of,
    requireServed: gateway && ((method, connection) => requireServed(method, connection, gateway.behaviour)),
    isOffered: ({ name, isContract }) =>
      isPlayed(name, gateway) &&
      (name in handlers.main || refusedReason(name) !== undefined) &&
      (behaviour.methods === "all" || isContract || name === "public/auth"),
  });
  const states = createStateWatch({
    clock,
    // While the market moves, everything is told each second.
    isNeeded: () => behaviour.isStill && !switchboard.isEmpty,
    nextChange: (afterMs) => venue.platform.nextChange(afterMs),
    onChange: () => motion.tellMarket(),
  });
  const switchboard = createSwitchboard({ tokens, publisher, heartbeats, dispatcher, disconnects, states });
  const motion = createMotion({ clock, publisher, venue, accounts: register, demo, stepMs, isDemoOn, onDefect });
  const setStill = (isStill: boolean): void => {
    behaviour.isStill = isStill;
    venue.setStill(isStill);
    motion.setStill(isStill);
    states.update();
  };
  setStill(behaviour.isStill);

  const control: Control = {
    ...createOrderControl(main.world, { move: demo.moveOrders, flush, worldOf: slotWorlds(accounts, register) }),
    ...handlers.isolated.control,
    ...createOtherOrdersControl(venue, flush),
    ...createAccountControl({
      ...{ account: main, apiKeys, secondFactor, nowMs: () => clock.now(), move: demo.moveAccount, flush },
      setDetailedForm: (form) => {
        behaviour.detailedForm = form;
      },
      setScopesEndTokens: (isEnding) => {
        behaviour.doScopesEndTokens = isEnding;
      },
    }),
    setMethods: (methods) => {
      behaviour.methods = methods;
    },
    setStill,
    setDemo: ({ isOn }) => motion.setDemo(isOn),
    excessCalls: () => limits.excessCalls,
    ...createPlatformControl({ clock, venue, states, tellMarket: motion.tellMarket, links: switchboard.control }),
    ...createRecordControl({ ledger, publisher, faults, tokens, seed }),
    ...switchboard.control,
  };

  return {
    clientId,
    clientSecret,
    control,
    onFault: faults.onUse,
    gatewayKey,
    gateway: gateway?.behaviour,
    accept: (transport, door = "trading") => switchboard.accept(transport, gateway && door),
    respondOverHttp: (frame, outlet) =>
      dispatcher.receive(switchboard.open("http", outlet), { ...frame, isIdOptional: true }),
    get isRefusing() {
      return switchboard.isRefusing;
    },
    dispose() {
      motion.setStill(true);
      states.dispose();
      routing?.dispose();
      gateway?.dispose();
      venue.margins.dispose();
      for (const account of accounts) account.mmp.dispose();
      dispatcher.dispose();
      switchboard.control.disconnectAll();
    },
  };
}

/** Makes the demo with its first orders. An account that was described has one only where it is asked for. */
function createOwnDemo(
  { clock, seed = 1, stepMs = SECOND_MS, updatesPerSecond, ...options }: ExchangeOptions,
  ports: Pick<DemoPorts, "account" | "onMoved" | "onDefect">,
): { readonly demo: Demo; readonly isDemoOn: boolean } {
  const isUsual = options.account === undefined;
  const { orders = isUsual ? DEFAULT_ORDERS : 0 } = options;
  const demo = createDemo({ ...ports, clock, seed, stepMs, orders, updatesPerSecond });
  demo.begin();
  return { demo, isDemoOn: isUsual || updatesPerSecond !== undefined };
}

/** The switches for a test or the user while it runs. */
interface Behaviour {
  detailedForm: DetailedForm;
  doScopesEndTokens: boolean;
  isStill: boolean;
  methods: MethodRange;
}

/** Makes the handlers. A method of the catalogue without a handler does not compile. */
function createHandlers(ports: HandlerPorts): MethodHandlers {
  const freeze = createQuoteFreeze(ports.clock);
  return {
    ...sessionHandlers(ports),
    ...accountHandlers(ports),
    ...subaccountMethods(ports),
    ...positionMethods(ports),
    ...transactionMethods(ports),
    ...transferMethods(ports),
    ...keyMethods(ports),
    ...orderHandlers(ports),
    ...tradingHandlers(ports),
    ...cancelMethods(ports, freeze),
    ...marketHandlers(ports),
    ...instrumentMethods(ports),
    ...indexMethods(ports),
    ...chartMethods(ports),
    ...settlementMethods(ports),
    ...blockTradeHandlers(ports),
    ...mmpHandlers(ports),
    ...quoteMethods(ports, freeze),
    ...userTradeHandlers(ports),
  };
}

/** Makes the handlers of each account when they are needed: subaccounts can be opened and removed. */
function createHandlersByAccount(
  common: Omit<HandlerPorts, keyof SimulatedAccount>,
  { main, all }: OwnAccounts,
): { readonly main: MethodHandlers; readonly of: DispatcherPorts["handlersOf"]; readonly isolated: Isolated } {
  const mainHandlers = createHandlers({ ...common, ...main });
  const made = new Map([[main.id, mainHandlers]]);
  const find = (id: number): MethodHandlers | undefined => {
    const account = common.accounts.find(id) && all.find((each) => each.id === id);
    const handlers = made.get(id) ?? (account && createHandlers({ ...common, ...account }));
    if (handlers !== undefined) made.set(id, handlers);
    return account && handlers;
  };
  const of: DispatcherPorts["handlersOf"] = (subject, subaccountId = subject) => {
    // A call sees the instruments that are listed by now.
    common.venue.catchUp([]);
    const isAllowed = subaccountId === subject || subject === main.id;
    const handlers = isAllowed ? find(Number(subaccountId ?? main.id)) : undefined;
    if (handlers === undefined) throw invalidParam("subaccount_id", "invalid subaccount_id");
    return handlers;
  };
  return { main: mainHandlers, of, isolated: createIsolated({ ...common, own: all, handlersOf: of }) };
}

/** Returns what finds the world of the slot that has an order. */
function slotWorlds(
  accounts: readonly SimulatedAccount[],
  register: AccountRegister,
): (orderId: string) => SimulatedAccount["world"] | undefined {
  const isSlot = (id: number): boolean => register.find(id)?.isolatedOf !== undefined;
  return (orderId) => accounts.find(({ id, world }) => isSlot(id) && world.order(orderId) !== undefined)?.world;
}

function openOrderTexts(accounts: readonly SimulatedAccount[], id: number, currency: string): string[] {
  const world = accounts.find((account) => account.id === id)?.world;
  return [...(world?.openOrders() ?? [])]
    .filter((order) => world?.instruments.get(order.instrument_name)?.currencies.includes(currency) === true)
    .map((order) => world?.text(order) ?? "");
}

/** Makes the control of what holds for all books and connections. */
function createPlatformControl(ports: {
  readonly clock: Clock;
  readonly venue: Venue;
  readonly states: StateWatch;
  readonly tellMarket: () => void;
  readonly links: Pick<Control, "sendText" | "disconnectAll">;
}): Pick<Control, "setBookState" | "setMaintenance" | "movePrice"> {
  const { clock, venue, states, tellMarket, links } = ports;
  return {
    setBookState(change) {
      venue.platform.setBookState(change, clock.now());
      states.update();
      tellMarket();
    },
    movePrice(currency, percent) {
      venue.movePrice(currency, percent);
      tellMarket();
    },
    setMaintenance(isInMaintenance) {
      venue.platform.isInMaintenance = isInMaintenance;
      tellMarket();
      if (!isInMaintenance) return;
      const error = { code: SYSTEM_MAINTENANCE, message: errorName(SYSTEM_MAINTENANCE) };
      links.sendText(JSON.stringify({ jsonrpc: "2.0", error }));
      links.disconnectAll();
    },
  };
}

type RecordControl = Pick<
  Control,
  | "ledger"
  | "published"
  | "clearRecords"
  | "setFault"
  | "addFaults"
  | "faults"
  | "faultLog"
  | "clearFaults"
  | "expireTokens"
>;

function createRecordControl(ports: {
  readonly ledger: Ledger;
  readonly publisher: Publisher;
  readonly faults: Faults;
  readonly tokens: Tokens;
  readonly seed: number;
}): RecordControl {
  const { ledger, publisher, faults, tokens } = ports;
  return {
    ledger: () => ledger.entries(),
    published: () => publisher.published(),
    clearRecords() {
      ledger.clear();
      publisher.clear();
    },
    setFault: (fault) => faults.add(fault),
    addFaults(description) {
      const described = readFaults(description);
      const random = createSeededRandom(namedSeed(described.seed ?? ports.seed, "faults"));
      for (const fault of described.faults) faults.add(fault, random);
    },
    faults: () => faults.waiting(),
    faultLog: () => faults.log(),
    clearFaults: () => faults.clear(),
    expireTokens: (how) => tokens.expireAll(how),
  };
}
