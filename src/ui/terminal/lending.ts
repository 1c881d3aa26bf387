import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { SafetySettings } from "../../actions/gate/policy.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { tokenQuestion } from "../../present/connections/tokenQuestion.ts";
import type { LentToken } from "../../session/lentToken.ts";
import { narrowScope, type TokenRequest } from "../../session/tokenRequest.ts";
import type { Ui } from "../ui.ts";
import { isRealMoney } from "../../state/records.ts";

/** A token for a program, and the address that it is for. */
export interface Loan extends LentToken {
  readonly url: string;
}

/** Responds to a program's request. Throws `CallError` with the reason where it gets no token. */
export type Lend = (request: TokenRequest, signal: AbortSignal) => Promise<Loan>;

export type LendUi = Pick<Ui, "ask"> & {
  readonly connections: Pick<Ui["connections"], "list">;
  readonly liveConnections: Pick<Ui["liveConnections"], "find" | "lendToken">;
  readonly settings: { readonly safety: () => Pick<SafetySettings, "allowTrading"> };
};

/** The refusals after which no program of a terminal may ask: one could ask until Enter is pressed once. */
const MAX_REFUSALS = 3;

/**
 * Makes the function that decides which program of one terminal gets a token. Nothing is signed in before the user has
 * agreed, and only connections that the user has opened can be used.
 */
export function createLend(ui: LendUi): Lend {
  let isAsking = false;
  let refusals = 0;
  return async (request, signal) => {
    const live = connectionOf(request, ui);
    const { generation, scope } = rightsOf(live, request, ui);
    if (isAsking)
      throw refused(
        l10n.t("Another program of this terminal waits for a confirmation in VS Code. Try again after it."),
      );
    if (refusals >= MAX_REFUSALS)
      throw refused(
        l10n.t("You refused access to this terminal {0} times. Open a new terminal to ask again.", refusals),
      );
    isAsking = true;
    const isAllowed = await ui.ask(tokenQuestion(request, live.place, scope)).finally(() => {
      isAsking = false;
    });
    if (!isAllowed) {
      refusals++;
      throw refused(l10n.t("The access was not allowed in VS Code."));
    }
    // The user has agreed to what was shown, for a program that was there.
    if (signal.aborted) throw new CallError({ kind: "stopped", wasSent: false });
    if (connectionOf(request, ui) !== live || rightsOf(live, request, ui).generation !== generation)
      throw refused(l10n.t("The connection changed while the confirmation was open. Try again."));
    return await ui.liveConnections.lendToken(live, scope, signal);
  };
}

/** Returns the open connection with the name of a request. */
function connectionOf({ connection, environment }: TokenRequest, ui: LendUi): LiveConnection {
  const name = plain.name(connection);
  const [found, other] = ui.connections.list.filter(({ record }) => record.name === connection);
  if (found === undefined) throw refused(l10n.t("VS Code has no connection with the name {0}.", name));
  if (other !== undefined)
    throw refused(l10n.t("VS Code has several connections with the name {0}. Rename one of them.", name));
  const live = ui.liveConnections.find(found.record.id);
  if (live?.state.status !== "ready")
    throw refused(l10n.t("The connection {0} is not open in this window of VS Code. Connect it and try again.", name));
  if (live.environment !== environment)
    throw refused(l10n.t("The environment of the connection {0} doesn't match --env.", name));
  return live;
}

/** Returns the scopes that a token of a connection gets, and the generation in which they were looked up. */
function rightsOf(
  live: LiveConnection,
  { scope: wanted }: TokenRequest,
  { settings }: LendUi,
): { generation: number; scope: readonly string[] } {
  const { state } = live;
  if (state.status !== "ready") throw new CallError({ kind: "notConnected" });
  const { authentication, scope: granted, subject } = state.identity;
  if (authentication !== "key")
    throw refused(l10n.t("Only connections with an API key can be used, because only these can limit the scopes."));
  // The key would sign in as its own account.
  if (subject !== undefined)
    throw refused(l10n.t("The connection acts for a subaccount. Use Switch to Main Account and try again."));
  const { scope, excess } = narrowScope(granted, wanted);
  if (excess.length > 0)
    throw refused(
      l10n.t(
        "The connection doesn't have the scope {0}.",
        plain.join(
          excess.map((entry) => plain.name(entry)),
          ", ",
        ),
      ),
    );
  if (scope.length === 0) throw refused(l10n.t("The server doesn't report scopes, so they can't be limited."));
  const writes = scope.filter((entry) => entry.endsWith(":read_write")).map((entry) => plain.name(entry));
  if (writes.length > 0 && isRealMoney(live.environment) && live.gate.changesAllowedUntilMs === undefined)
    throw refused(
      l10n.t(
        "{0} is read-only, so no program gets the scope {1}. Use Allow Changes… first, or ask for read scopes.",
        live.place,
        plain.join(writes, ", "),
      ),
    );
  if (scope.includes("trade:read_write") && settings.safety().allowTrading === "never")
    throw refused(
      l10n.t(
        "Trading is turned off by the setting tradingRpc.safety.allowTrading, so no program gets the scope trade:read_write.",
      ),
    );
  return { generation: state.generation, scope };
}
