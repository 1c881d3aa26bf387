import type { Control } from "./control.ts";
import type { OrderSpec } from "../methods/orderTerms.ts";

/** The content of a control request: members by name. */
type Body = Readonly<Record<string, unknown>>;

/**
 * The control object over the network: `POST /control/<name>` with a JSON object, GET for what only reads. Bodies are
 * trusted to have the right members: every holder of the token is a test.
 */
const ROUTES: Readonly<Record<string, (control: Control, body: Body) => unknown>> = {
  openOrders: (control) => control.openOrders(),
  closedOrders: (control) => control.closedOrders(),
  order: (control, { id }) => control.order(String(id)) ?? null,
  ledger: (control) => control.ledger(),
  published: (control) => control.published(),
  connections: (control) => control.connections(),
  excessCalls: (control) => control.excessCalls(),
  faults: (control) => control.faults(),
  clearRecords: (control) => {
    control.clearRecords();
  },
  setFault: (control, body) => {
    control.setFault(body);
  },
  clearFaults: (control) => {
    control.clearFaults();
  },
  place: (control, body) => control.place(body as OrderSpec),
  fill: (control, { id, amount }) => control.fill(String(id), amount as number | undefined),
  cancel: (control, { id, reason }) => control.cancel(String(id), reason as string | undefined),
  amend: (control, { id, ...changes }) => control.amend(String(id), changes),
  fire: (control, { id }) => control.fire(String(id)),
  trade: (control, { instrument_name: name }) => {
    control.trade(String(name));
  },
  setStill: (control, { isStill }) => {
    control.setStill(isStill === true);
  },
  setDemo: (control, body) => control.setDemo(body),
  move: (control, { steps }) => {
    control.move(steps as number | undefined);
  },
  blockTrades: (control) => control.blockTrades(),
  addBlockTrade: (control, body) => control.addBlockTrade(body as unknown as Parameters<Control["addBlockTrade"]>[0]),
  mmpConfigs: (control, body) => control.mmpConfigs(body),
  frozen: (control, body) => control.frozen(body),
  freezeMmp: (control, { untilMs, ...selection }) => control.freezeMmp(selection, untilMs as number | undefined),
  resetMmp: (control, body) => {
    control.resetMmp(body);
  },
  configureMmp: (control, body) => control.configureMmp(body as unknown as Parameters<Control["configureMmp"]>[0]),
  apiKeys: (control) => control.apiKeys(),
  editApiKey: (control, { id, ...changes }) => control.editApiKey(Number(id), changes),
  requireSecondFactor: (control, { codes }) => {
    control.requireSecondFactor(codes as readonly string[] | undefined);
  },
  blockRfqQuotes: (control) => control.blockRfqQuotes(),
  placeBlockRfqQuote: (control, body) =>
    control.placeBlockRfqQuote(body as unknown as Parameters<Control["placeBlockRfqQuote"]>[0]),
  editBlockRfqQuote: (control, { id, ...changes }) => control.editBlockRfqQuote(Number(id), changes),
  cancelBlockRfqQuote: (control, { id, reason }) =>
    control.cancelBlockRfqQuote(Number(id), reason as string | undefined),
  fillBlockRfqQuote: (control, { id }) => control.fillBlockRfqQuote(Number(id)),
  expireBlockRfq: (control, { id }) => {
    control.expireBlockRfq(Number(id));
  },
  setDetailedForm: (control, { form }) => {
    control.setDetailedForm(form as Parameters<Control["setDetailedForm"]>[0]);
  },
  setScopesEndTokens: (control, { isEnding }) => {
    control.setScopesEndTokens(isEnding === true);
  },
  deposit: (control, { currency, amount }) => {
    control.deposit(String(currency), Number(amount));
  },
  moveAccount: (control) => {
    control.moveAccount();
  },
  setBookState: (control, body) => {
    control.setBookState(body as unknown as Parameters<Control["setBookState"]>[0]);
  },
  setMaintenance: (control, { isInMaintenance }) => {
    control.setMaintenance(isInMaintenance === true);
  },
  setMethods: (control, { methods }) => {
    control.setMethods(methods as Parameters<Control["setMethods"]>[0]);
  },
  expireTokens: (control, body) => {
    control.expireTokens(body);
  },
  disconnectAll: (control, { how }) => {
    control.disconnectAll(how as "close" | "reset" | undefined);
  },
  refuseConnections: (control, { isRefusing }) => {
    control.refuseConnections(isRefusing === true);
  },
  sendText: (control, { text }) => {
    control.sendText(String(text));
  },
};

/**
 * Runs a control request by name. Returns JSON text, or undefined for a name that does not exist, or that this control
 * doesn't have. Throws what the control throws.
 */
export function runControl(control: Partial<Control>, name: string, bodyText: string): string | undefined {
  if (!Object.hasOwn(ROUTES, name) || !(name in control)) return undefined;
  const body = bodyText === "" ? {} : (JSON.parse(bodyText) as Body);
  return JSON.stringify(ROUTES[name]?.(control as Control, body) ?? null);
}
