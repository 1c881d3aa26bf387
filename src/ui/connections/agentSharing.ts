import { environmentWords } from "../../actions/intent/connectionNames.ts";
import type { Question } from "../../actions/intent/question.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isGatewayRecord, SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { AgentAccess } from "./agentAccess.ts";
import type { Ui } from "../ui.ts";

/** Asks whether to share a connection with agents, or to end that. Throws `refused` for one that can't be shared. */
export async function askAboutAgents(
  record: ConnectionRecord,
  { ask, agentAccess }: Pick<Ui, "ask"> & { readonly agentAccess: AgentAccess },
): Promise<void> {
  const isShared = agentAccess.isShared(record);
  const refusal = isShared ? undefined : refusalOf(record);
  if (refusal !== undefined) throw refused(refusal);
  const isSure = await ask(isShared ? endingQuestion(record) : sharingQuestion(record));
  if (isSure) await agentAccess.share(record, !isShared);
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
    detail: l10n.t(
      "Its MCP server in this window ends, and its access token with it. In other windows they end when the window closes.",
    ),
    confirm: l10n.t("Stop Sharing"),
    keep: l10n.t("Keep Sharing"),
  };
}

function placeOf({ declared, name }: ConnectionRecord): Plain {
  return environmentWords(declared, name);
}
