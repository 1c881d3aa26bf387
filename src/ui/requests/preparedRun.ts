import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { Gate } from "../../actions/gate.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import { type Failure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { createTimes } from "../../present/text/times.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { plain } from "../../base/plain.ts";
import { channelOutcome, channelWish } from "../../requests/running/channels.ts";
import { allowedBy, environmentVariables } from "../../requests/values/environmentFile.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import type { Results } from "../../requests/values/results.ts";
import type { SequencePorts } from "../../requests/running/sequence.ts";
import type { ChannelDocuments } from "../responses/channelDocuments.ts";
import type { EnvironmentFiles } from "./environmentFiles.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import type { NamedResults } from "./namedResults.ts";
import { fileWords } from "./files.ts";
import type { RequestScans } from "./scans.ts";
import type { RequestTargets } from "./targets.ts";
import type { Settings } from "../editor/settings.ts";
import { askForValue } from "./valuePicks.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";

/** The sources of a run of a document's requests. */
export interface RunSources {
  readonly dialogs: Dialogs;
  readonly liveConnections: LiveConnections;
  readonly targets: RequestTargets;
  readonly results: NamedResults;
  readonly environmentFiles: EnvironmentFiles;
  readonly channels: Pick<ChannelDocuments, "follow" | "end">;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly scans: RequestScans;
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
export async function prepareRun(document: vscode.TextDocument, sources: RunSources): Promise<PreparedRun | undefined> {
  if (!vscode.workspace.isTrusted) throw refused(l10n.t("Requests can't be sent in Restricted Mode."));
  const live = await liveTarget(document.uri, sources);
  if (live === undefined) return undefined;
  const file = sources.scans.of(document);
  const { version } = document;
  const files = await sources.environmentFiles.load(document.uri);
  const obstacle = allowedBy(files, live.environment);
  if (obstacle !== undefined) throw refused(obstacle);
  const results = sources.results.of(live.record.id, document.uri);
  const sameAccount = accountWatch(live);
  const ports: SequencePorts = {
    gate: followingGate(live, sources),
    fileName: fileWords(document.uri),
    timeoutMs: sources.settings.connection().requestTimeoutMs,
    isUnchanged: () => document.version === version,
    environment: () => live.environment,
    connectionId: live.record.id,
    results,
    clock: sources.clock,
    variables: { environmentVars: environmentVariables(files, live.environment), uuid: () => crypto.randomUUID() },
    ask: async (path) => await askForValue(path, live, { ...sources, times: createTimes() }),
    obstacle: () => allowedBy(files, live.environment) ?? sameAccount(),
    concurrency: sources.settings.requests(document.uri).concurrency,
  };
  return { live, file, results, ports };
}

/** Returns the connection of a document, once it can be sent to. */
async function liveTarget(
  uri: vscode.Uri,
  { targets, liveConnections, connect }: RunSources,
): Promise<LiveConnection | undefined> {
  const find = (): LiveConnection | undefined => {
    const target = targets.of(uri);
    return target === undefined ? undefined : liveConnections.find(target.record.id);
  };
  const present = find();
  if (present?.state.status === "ready") return present;
  return (await connect(targets.of(uri)?.record.id)) ? find() : undefined;
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
function followingGate(
  live: LiveConnection,
  { channels, clock }: Pick<RunSources, "channels" | "clock">,
): Pick<Gate, "submit" | "activity"> {
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
