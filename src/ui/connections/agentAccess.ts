import type { Question } from "../../actions/intent/question.ts";
import { createEmitter, type Emitter, type Event } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { isGatewayRecord, SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { Ui } from "../ui.ts";

/** The connections that the user has named for agents, which VS Code offers them as MCP servers. */
export interface AgentAccess {
  /** Whether agents may use a connection: the user has named it as it is now, and the setting is on. */
  isShared(record: ConnectionRecord): boolean;
  /** Asks whether to share a connection, or to end that. */
  ask(record: ConnectionRecord): Promise<void>;
  /** Fires when a connection was shared, or is not any more. */
  readonly onDidChange: Event<void>;
}

type AgentAccessPorts = Pick<Ui, "ask"> & {
  readonly settings: Pick<Ui["settings"], "isServingAgents" | "serveAgents">;
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
};

const KEY = "tradingRpc.agentConnections";

export function createAgentAccess({ ask, settings, state }: AgentAccessPorts): AgentAccess {
  const changes: Emitter<void> = createEmitter();
  const named = (): readonly unknown[] => {
    const kept = state.get(KEY);
    return Array.isArray(kept) ? kept : [];
  };
  const isNamed = (record: ConnectionRecord): boolean => named().includes(entryOf(record));
  const keep = async (entries: readonly unknown[]): Promise<void> => {
    await state.update(KEY, entries);
    changes.fire();
  };
  return {
    isShared: (record) => settings.isServingAgents() && isNamed(record),
    async ask(record) {
      const isShared = settings.isServingAgents() && isNamed(record);
      const refusal = isShared ? undefined : refusalOf(record);
      if (refusal !== undefined) throw refused(refusal);
      if (!(await ask(isShared ? endingQuestion(record) : sharingQuestion(record)))) return;
      const others = named().filter((entry) => entry !== entryOf(record));
      if (!isShared) await settings.serveAgents();
      await keep(isShared ? others : [...others, entryOf(record)]);
    },
    onDidChange: changes.event,
  };
}

/** Returns why a connection can't be shared; undefined where it can. */
function refusalOf(record: ConnectionRecord): Plain | undefined {
  if (isGatewayRecord(record)) return l10n.t("Connections to the Coinbase gateway can't be shared with agents.");
  if (record.declared === "simulator" && record.id !== SIMULATOR_ID)
    return l10n.t("Of the simulators, only the built-in one can be shared with agents.");
  return record.grant === "none" || record.grant === "token"
    ? l10n.t("Only connections with an API key can be used, because only these can limit the scopes.")
    : undefined;
}

/** A connection that is changed is another one: it is named again. */
function entryOf({ id, declared, url, clientId }: ConnectionRecord): string {
  return JSON.stringify(id === SIMULATOR_ID ? [id] : [id, declared, url, clientId]);
}

function sharingQuestion(record: ConnectionRecord): Question {
  return {
    kind: "modal",
    message: l10n.t("Share {0} with agents?", placeOf(record)),
    detail:
      record.id === SIMULATOR_ID
        ? l10n.t(
            "VS Code offers an MCP server for it while it is connected. Agents can read, place, edit, and cancel orders of the simulator. What they read is sent to your model provider.",
          )
        : l10n.t(
            "VS Code offers an MCP server for {0} while it is connected. Agents can read orders, positions, balances, and trades, and can't change anything. What they read is sent to your model provider.",
            plain.name(record.name),
          ),
    confirm: l10n.t("Share Connection"),
    keep: l10n.t("Keep Private"),
  };
}

function endingQuestion(record: ConnectionRecord): Question {
  return {
    kind: "modal",
    message: l10n.t("Stop sharing {0} with agents?", placeOf(record)),
    detail: l10n.t("Its MCP server ends, and its access token with it."),
    confirm: l10n.t("Stop Sharing"),
    keep: l10n.t("Keep Sharing"),
  };
}

function placeOf({ declared, name }: ConnectionRecord): Plain {
  return environmentWords(declared, name);
}
