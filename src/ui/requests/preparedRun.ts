import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { Gate } from "../../actions/gate/gate.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { createTimes } from "../../present/text/times.ts";
import { plain } from "../../base/plain.ts";
import { channelOutcome, channelWish } from "../../requests/running/channels.ts";
import { allowedBy, environmentVariables } from "../../requests/values/environmentFile.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import type { Results } from "../../requests/values/results.ts";
import type { SequencePorts } from "../../requests/running/sequence.ts";
import type { ChannelDocuments } from "../responses/channelDocuments.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { fileWords } from "./files.ts";
import type { HistoryStore } from "./historyStore.ts";
import type { RequestOutcomes } from "./outcomes.ts";
import type { RequestUi } from "./requestUi.ts";
import { tradePreviews } from "./tradePreviews.ts";
import { askForValue } from "./valuePicks.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";

/** What a run of a document's requests needs. */
export interface RunUi extends RequestUi {
  readonly channels: Pick<ChannelDocuments, "follow" | "end">;
  readonly responses: ResponseDocuments;
  readonly history: HistoryStore;
  /** Records the outcome of each request. */
  readonly outcomes: Pick<RequestOutcomes, "note">;
  /** Lets the user connect, to that connection if there is one. Resolves to whether requests can be sent to it now. */
  readonly connect: (connectionId: string | undefined) => Promise<boolean>;
}

/** A document that can be run, and everything that a sequence of its requests needs from VS Code. */
export interface PreparedRun {
  readonly live: LiveConnection;
  readonly file: RequestFile;
  readonly results: Results;
  readonly ports: SequencePorts;
}

/**
 * Connects if needed, and reads the files around the document. Undefined when the user did not connect. Throws
 * `CallError` in Restricted Mode, and if the folder does not allow its requests to be sent there.
 */
export async function prepareRun(document: vscode.TextDocument, ui: RunUi): Promise<PreparedRun | undefined> {
  if (!vscode.workspace.isTrusted) throw refused(l10n.t("Requests can't be sent in Restricted Mode."));
  const live = await liveTarget(document.uri, ui);
  if (live === undefined) return undefined;
  const file = ui.scans.of(document);
  const { version } = document;
  const files = await ui.environments.load(document.uri);
  const obstacle = allowedBy(files, live.environment);
  if (obstacle !== undefined) throw refused(obstacle);
  const results = ui.results.of(document.uri, live.record.id);
  const sameAccount = accountWatch(live);
  const ports: SequencePorts = {
    gate: followingGate(live, ui),
    fileName: fileWords(document.uri),
    timeoutMs: ui.settings.connection().requestTimeoutMs,
    isUnchanged: () => document.version === version,
    previewOf: tradePreviews(live),
    environment: () => live.environment,
    connectionId: live.record.id,
    results,
    clock: ui.clock,
    variables: { environmentVars: environmentVariables(files, live.environment), uuid: () => crypto.randomUUID() },
    ask: async (path) => await askForValue(path, live, { ...ui, times: createTimes() }),
    obstacle: () => allowedBy(files, live.environment) ?? sameAccount(),
    concurrency: ui.settings.requests(document.uri).concurrency,
  };
  return { live, file, results, ports };
}

/** Returns the connection of a document, once it can be sent to. */
async function liveTarget(uri: vscode.Uri, { targets, connect }: RunUi): Promise<LiveConnection | undefined> {
  const present = targets.liveOf(uri);
  if (present?.state.status === "ready") return present;
  return (await connect(targets.of(uri)?.record.id)) ? targets.liveOf(uri) : undefined;
}

/**
 * Returns a function that says why nothing more is sent after the account has changed, unless a request of ours
 * switched it.
 */
function accountWatch(live: LiveConnection): () => string | undefined {
  const nameOf = (): string | undefined =>
    live.state.status === "ready"
      ? JSON.stringify([live.state.identity.clientId, live.state.identity.subject?.id])
      : undefined;
  let account = nameOf();
  let switches = switchCount(live);
  return () => {
    const now = nameOf();
    if (now === undefined || now === account) return undefined;
    const count = switchCount(live);
    if (count === switches)
      return l10n.t("{0} was signed in to another account during the run.", plain.text(live.place));
    [account, switches] = [now, count];
    return undefined;
  };
}

/** Returns the number of account switches on this connection that the user has agreed to. */
function switchCount({ gate }: LiveConnection): number {
  return gate.activity.filter(({ intent }) => isSwitch(intent.method) && intent.origin === "requestFile").length;
}

/** Returns the gate of the connection; requests about channels go to documents of channels instead. */
function followingGate(live: LiveConnection, { channels, clock }: RunUi): Pick<Gate, "submit" | "activity"> {
  return {
    get activity() {
      return live.gate.activity;
    },
    async submit(intent, options) {
      const wish = channelWish(intent);
      if (wish === undefined) return await live.gate.submit(intent, options);
      if (wish.kind === "refused") return notSent({ kind: "refused", reason: wish.reason });
      const startedAtMs = clock.monotonicMs();
      if (wish.kind === "follow") await channels.follow(live, wish.channels);
      else if (channels.end(live.record.id, wish.channels) === 0)
        return notSent({
          kind: "refused",
          reason: l10n.t(
            "No editor tab is subscribed to {0}. Subscriptions of views are not affected.",
            plain.text(wish.channels.join(", ")),
          ),
        });
      return channelOutcome(intent.method, wish.channels, clock, startedAtMs);
    },
  };
}

function notSent(failure: Failure): Outcome {
  return { kind: "notSent", failure };
}
