import { createKey, type NewKey } from "../../actions/changes/apiKeys.ts";
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { openAccounts } from "../../actions/liveConnections.ts";
import type { Outcome } from "../../actions/outcome.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { keyDiffLines } from "../../present/apiKeys/keyDiff.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { isCodeRefused } from "../../present/outcomes/outcomeText.ts";
import type { ApiKey } from "../../state/apiKeys.ts";
import { pickConnection } from "../connections/picks.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import type { Ui } from "../ui.ts";
import { askNewKey, wishOf, type KeyForm } from "./steps.ts";

export type CreateKeyPorts = Pick<Ui, "dialogs" | "liveConnections"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
};

/** Makes the command that creates an API key: on the connection of a row, or on one that the user chooses. */
export function createKeyCreation(ports: CreateKeyPorts): Handlers {
  return {
    "tradingRpc.apiKey.create": async (row) => {
      const asked = await askForNewKey(l10n.t("Create API Key"), row, ports);
      if (asked !== undefined) await createApiKey(asked.live, asked.wanted, { origin: "palette" }, ports);
    },
  };
}

/** Asks what a new key is called and may do, and where it is created. Undefined when the user left. */
export async function askForNewKey(
  title: Plain,
  row: unknown,
  ports: Pick<Ui, "liveConnections" | "dialogs">,
): Promise<{ readonly live: LiveConnection; readonly wanted: NewKey } | undefined> {
  const connections = openAccounts(ports.liveConnections);
  const [ofRow] = typeof row === "string" ? rowIdParts(row) : [];
  const live =
    connections.find(({ record }) => record.id === ofRow) ?? (await pickConnection(ports, { title, connections }));
  if (live === undefined) return undefined;
  const form: KeyForm = {
    title: l10n.t("{0} on {1}", title, live.place),
    key: { id: 0 },
    isWithin: false,
    caution: "",
    diffOf: newKeyLines,
  };
  const walked = await askNewKey(form, { fields: [], wish: {} }, ports.dialogs);
  if (walked.kind !== "next") return undefined;
  const { max_scope: scope = "", ...wish } = wishOf(walked.draft);
  return { live, wanted: { max_scope: scope, ...wish } };
}

/** What the creation of a key needs beside the key. */
export interface KeyCreation {
  readonly origin: Intent["origin"];
  /** Further lines of the confirmation. */
  readonly lines?: readonly Plain[];
  /** Called with the outcome of each attempt: the user may try again with another 2FA code. */
  readonly onOutcome?: (outcome: Outcome) => Promise<void>;
}

/**
 * Creates a key on a connection, after a confirmation, and shows the outcome. The client secret of the response goes to
 * the place that the user has chosen; a key with a public key has none.
 */
export async function createApiKey(
  live: LiveConnection,
  wanted: NewKey,
  creation: KeyCreation,
  ports: CreateKeyPorts,
): Promise<Outcome> {
  // A response that is lost is looked up by what was not listed before.
  await live.use();
  if (live.state.status !== "ready") throw new CallError({ kind: "notConnected" });
  await ports.dialogs.progress({ where: { viewId: "tradingRpc.apiKeys" } }, async () => await live.apiKeys.refresh());
  const { status, items } = live.apiKeys.snapshot;
  const listed = [...items.values()].flatMap(({ id, source }) => (source === "typed" ? [] : [id]));
  const intent = createKey(wanted, {
    origin: creation.origin,
    detail: [...newKeyLines(wanted), ...(creation.lines ?? [])],
    idsBefore: status === "live" ? listed : undefined,
  });
  return await submitKeyChange(live, intent, { ...ports, ...creation });
}

/** Hands a change of a key to the gate, shows its outcome, and hands that on. */
export async function submitKeyChange(
  live: LiveConnection,
  intent: Intent,
  ports: Pick<CreateKeyPorts, "notices" | "settings"> & Pick<KeyCreation, "onOutcome">,
): Promise<Outcome> {
  const { notices, settings } = ports;
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs });
  // A new code needs a new challenge: the whole change is confirmed and sent again.
  const again = isCodeRefused(outcome)
    ? () => void submitKeyChange(live, intent, ports).catch((error: unknown) => notices.showError(error))
    : undefined;
  notices.showOutcome(live, intent, outcome, again);
  await ports.onOutcome?.(outcome);
  return outcome;
}

/** Returns what a new key may do and is called, a line for each field and area. */
function newKeyLines({ public_key: publicKey, ...wish }: Partial<NewKey>): Plain[] {
  return [
    ...keyDiffLines(NOTHING, wish, { isInUse: false, seenAt: undefined }),
    ...(publicKey === undefined ? [] : [plain`public_key: ${plain.text(publicKey.replaceAll(/\s+/g, " ").trim())}`]),
  ];
}

/** A key before it exists. */
const NOTHING: ApiKey = { id: 0, name: "", max_scope: "", enabled_features: [] };
