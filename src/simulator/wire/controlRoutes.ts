import type { Control } from "./control.ts";

/** The content of a control request: members by name. */
type Body = Readonly<Record<string, unknown>>;

/**
 * The control object over the network: `POST /control/<name>` with a JSON object, GET for what only reads. Here are the
 * members of the object that are the arguments, in their order; `...`: the object without those that are named. Bodies
 * are trusted to have the right members: every holder of the token is a test.
 */
const ARGUMENTS: Readonly<Partial<Record<keyof Control, readonly string[]>>> = {
  openOrders: [],
  closedOrders: [],
  order: ["id"],
  ledger: [],
  published: [],
  connections: [],
  excessCalls: [],
  faults: [],
  clearRecords: [],
  setFault: ["..."],
  addFaults: ["..."],
  faultLog: [],
  clearFaults: [],
  place: ["..."],
  position: ["instrument_name"],
  placeIsolated: ["..."],
  slots: [],
  placeOther: ["..."],
  cancelOther: ["instrument_name", "id"],
  fill: ["id", "amount"],
  cancel: ["id", "reason"],
  amend: ["id", "..."],
  fire: ["id"],
  trade: ["instrument_name"],
  setStill: ["isStill"],
  setDemo: ["..."],
  move: ["steps"],
  blockTrades: [],
  addBlockTrade: ["..."],
  mmpConfigs: ["..."],
  frozen: ["..."],
  freezeMmp: ["...", "untilMs"],
  resetMmp: ["..."],
  configureMmp: ["..."],
  apiKeys: [],
  editApiKey: ["id", "..."],
  requireSecondFactor: ["codes"],
  blockRfqQuotes: [],
  placeBlockRfqQuote: ["..."],
  editBlockRfqQuote: ["id", "..."],
  cancelBlockRfqQuote: ["id", "reason"],
  fillBlockRfqQuote: ["id"],
  expireBlockRfq: ["id"],
  setDetailedForm: ["form"],
  setScopesEndTokens: ["isEnding"],
  deposit: ["currency", "amount"],
  moveAccount: [],
  setBookState: ["..."],
  movePrice: ["currency", "percent"],
  setMaintenance: ["isInMaintenance"],
  setMethods: ["methods"],
  expireTokens: ["..."],
  disconnectAll: ["how"],
  refuseConnections: ["isRefusing"],
  sendText: ["text"],
};

/**
 * Runs a control request by name. Returns JSON text, or undefined for a name that does not exist, or that this control
 * doesn't have. Throws what the control throws.
 */
export function runControl(control: Partial<Control>, name: string, bodyText: string): string | undefined {
  const act = (control as Readonly<Record<string, ((...given: unknown[]) => unknown) | undefined>>)[name];
  const names = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name as keyof Control] : undefined;
  if (act === undefined || names === undefined) return undefined;
  const body = bodyText === "" ? {} : (JSON.parse(bodyText) as Body);
  const rest = Object.fromEntries(Object.entries(body).filter(([member]) => !names.includes(member)));
  return JSON.stringify(act(...names.map((each) => (each === "..." ? rest : body[each]))) ?? null);
}
