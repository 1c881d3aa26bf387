import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { createEmitter, DisposableList, type Disposable, type Emitter } from "../../base/emitter.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { CallError } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import {
  channelText,
  createEventRing,
  type ChannelSource,
  type EventRing,
  type Following,
} from "../../present/observing/channelDocument.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import { failureSentences } from "../../present/text/failureText.ts";
import type { Times } from "../../present/text/times.ts";
import { payloadText } from "../../requests/running/channels.ts";
import { ANSWER_SCHEME } from "./answerDocuments.ts";
import { whenClosed } from "../editor/closedTabs.ts";
import { documentOf } from "../editor/documentOf.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/** Read-only documents that show the events of channels as they come, for as long as they are open. */
export interface ChannelDocuments extends Disposable {
  /** Follows channels and shows their document; where it is followed already, that one. */
  follow(live: LiveConnection, channels: readonly string[]): Promise<void>;
  /** Ends the following of these channels. Resolves to how many documents followed them; what views follow stays. */
  end(connectionId: string, channels: readonly string[]): number;
  /** The text of a document; undefined where the address is none of these. */
  text(uri: vscode.Uri): string | undefined;
  stop(uri: unknown): void;
  pause(uri: unknown): void;
  clear(uri: unknown): void;
  filter(uri: unknown): Promise<void>;
}

export interface ChannelDocumentsPorts {
  readonly dialogs: Dialogs;
  /** Tells the editor to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  readonly clock: Clock;
  readonly times: Times;
  /** Where a document is opened. */
  readonly columnFor: (uri: vscode.Uri) => vscode.ViewColumn;
}

/** A document is drawn anew at most this often. */
const DRAW_PAUSE_MS = 250;

interface Feed extends Disposable {
  readonly uri: vscode.Uri;
  readonly connectionId: string;
  filter: string;
  text(): string;
  isPaused(): boolean;
  pause(): void;
  clear(): void;
  /** Lets go of these channels; without them, of all. */
  end(reason: string, channels?: readonly string[]): boolean;
  readonly isEnded: boolean;
  draw(): void;
}

export function createChannelDocuments(ports: ChannelDocumentsPorts): ChannelDocuments {
  const feeds = new Map<string, Feed>();
  const disposables = new DisposableList();
  const lensChanges: Emitter<void> = disposables.add(createEmitter());
  /** Documents whose end was in sight when they were told to change. */
  const atEnd = new Set<string>();
  const changed = (uri: vscode.Uri): void => {
    if (isEndInSight(uri)) atEnd.add(uri.toString());
    ports.changes.fire(uri);
    lensChanges.fire();
  };
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (atEnd.delete(document.uri.toString())) revealEnd(document);
    }),
  );
  const find = (argument: unknown): Feed => {
    const uri = documentOf(argument);
    const feed = uri === undefined ? undefined : feeds.get(uri.toString());
    if (feed === undefined)
      throw new CallError({
        kind: "refused",
        reason: l10n.t("This channel is not followed any more. Send its request again."),
      });
    return feed;
  };
  disposables.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: ANSWER_SCHEME },
      { onDidChangeCodeLenses: lensChanges.event, provideCodeLenses: ({ uri }) => lensesOf(feeds.get(uri.toString())) },
    ),
  );
  disposables.add(
    whenClosed((key) => {
      feeds.get(key)?.dispose();
      feeds.delete(key);
    }),
  );
  disposables.add({
    dispose: () => {
      for (const feed of feeds.values()) feed.dispose();
    },
  });
  return {
    async follow(live, channels) {
      const uri = addressOf(live, channels);
      const present = feeds.get(uri.toString());
      if (present === undefined || present.isEnded) {
        present?.dispose();
        feeds.set(uri.toString(), createFeed(uri, { live, channels, changed }, ports));
      }
      changed(uri);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
        viewColumn: ports.columnFor(uri),
        preserveFocus: true,
        preview: false,
      });
      // What changed while the editor was opening it was told to nobody.
      feeds.get(uri.toString())?.draw();
    },
    end(connectionId, channels) {
      const reason = l10n.t("Ended by an unsubscribe request.");
      return [...feeds.values()].filter((feed) => feed.connectionId === connectionId && feed.end(reason, channels))
        .length;
    },
    text: (uri) =>
      feeds.get(uri.toString())?.text() ??
      (isOurs(uri) ? `// ${l10n.t("This channel is not followed any more. Send its request again.")}\n` : undefined),
    stop: (uri) => void find(uri).end(l10n.t("Stopped. Send the request again to go on.")),
    pause: (uri) => find(uri).pause(),
    clear: (uri) => find(uri).clear(),
    async filter(uri) {
      const feed = find(uri);
      const result = await ports.dialogs.askText({
        title: l10n.t("Filter Events"),
        prompt: l10n.t(
          "Only events that have this text in them are shown; empty for all. Those that are left out are kept.",
        ),
        value: feed.filter,
        isFleeting: true,
      });
      if (result.kind !== "next") return;
      feed.filter = result.value;
      feed.draw();
    },
    dispose: () => disposables.dispose(),
  };
}

interface FeedSource {
  readonly live: LiveConnection;
  readonly channels: readonly string[];
  readonly changed: (uri: vscode.Uri) => void;
}

function createFeed(
  uri: vscode.Uri,
  { live, channels, changed }: FeedSource,
  { clock, times }: ChannelDocumentsPorts,
): Feed {
  const { place, record } = live;
  const ring = createEventRing();
  const states = new Map<string, Following>(channels.map((channel) => [channel, { kind: "waiting" }]));
  const held = new Map<string, Disposable>();
  const drawing = createCoalescer(clock, DRAW_PAUSE_MS, () => changed(uri));
  let paused: Pick<EventRing, "events" | "total"> | undefined;
  let endReason: string | undefined;

  const release = (which: readonly string[]): void => {
    for (const channel of which) held.get(channel)?.dispose();
    for (const channel of which) held.delete(channel);
  };
  const end = (reason: string, which: readonly string[] = channels): boolean => {
    const mine = which.filter((channel) => held.has(channel));
    if (mine.length === 0) return false;
    release(mine);
    if (held.size === 0) endReason = reason;
    else for (const channel of mine) states.set(channel, { kind: "refused", reason });
    drawing.request();
    return true;
  };
  for (const channel of channels) {
    held.set(
      channel,
      live.followChannel(
        channel,
        (_data, frameText) => {
          ring.add({ channel, atMs: clock.now(), payloadText: payloadText(frameText) ?? "null" });
          drawing.request();
        },
        (state) => {
          if (!held.has(channel)) return;
          states.set(
            channel,
            state.kind === "accepted"
              ? { kind: "live" }
              : state.kind === "lost"
                ? { kind: "lost" }
                : {
                    kind: "refused",
                    reason: state.failure === undefined ? undefined : failureSentences(state.failure, "read", place),
                  },
          );
          drawing.request();
        },
      ),
    );
  }
  // Events of another account would stand in one list with those of this one.
  const watch = live.onDidChangeState((state) => {
    if (state.status === "off") end(l10n.t("{0} was disconnected.", plain.text(place)));
    else if (state.status !== "ready" && state.isOtherSubject === true)
      end(l10n.t("{0} acts as another account from now on.", plain.text(place)));
  });
  const source = (): ChannelSource => ({
    place,
    channels: states,
    ring: paused ?? ring,
    filter: feed.filter,
    pausedSinceTotal: paused === undefined ? undefined : ring.total - paused.total,
    end: endReason,
    times,
  });
  const feed: Feed = {
    uri,
    connectionId: record.id,
    filter: "",
    text: () => channelText(source()),
    isPaused: () => paused !== undefined,
    pause() {
      paused = paused === undefined ? { events: [...ring.events], total: ring.total } : undefined;
      drawing.request();
    },
    clear() {
      ring.clear();
      paused = undefined;
      drawing.request();
    },
    end,
    get isEnded() {
      return endReason !== undefined;
    },
    draw: () => drawing.request(),
    dispose() {
      release(channels);
      watch.dispose();
      drawing.dispose();
    },
  };
  return feed;
}

function lensesOf(feed: Feed | undefined): vscode.CodeLens[] {
  if (feed === undefined) return [];
  const lens = (title: string, command: CommandId): vscode.CodeLens =>
    new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [feed.uri.toString()] });
  const running = feed.isEnded
    ? []
    : [
        lens(l10n.t("■ Stop"), "tradingRpc.channel.stop"),
        lens(feed.isPaused() ? l10n.t("▷ Resume") : l10n.t("‖ Pause"), "tradingRpc.channel.pause"),
      ];
  return [
    ...running,
    lens(
      feed.filter === "" ? l10n.t("Filter…") : l10n.t("Filter: {0}", plain.name(feed.filter)),
      "tradingRpc.channel.filter",
    ),
    lens(l10n.t("Clear"), "tradingRpc.channel.clear"),
  ];
}

/** One for each connection and set of channels. */
function addressOf(live: LiveConnection, channels: readonly string[]): vscode.Uri {
  const [first = "", ...others] = channels;
  const name = plain.name(others.length === 0 ? first : `${first} +${String(others.length)}`);
  const title = l10n.t("{0} ▸ live ({1})", name, environmentWord(live.environment));
  return vscode.Uri.from({
    scheme: ANSWER_SCHEME,
    path: `/trading-rpc-answer/${title.replaceAll(/[\\/]/g, "_")}`,
    query: JSON.stringify({ t: title, live: live.record.id, channels }),
  });
}

function isOurs({ query }: vscode.Uri): boolean {
  try {
    return typeof (JSON.parse(query) as { readonly live?: unknown }).live === "string";
  } catch {
    return false;
  }
}

/** Whoever looks at the newest events goes on doing so; whoever has scrolled up is left alone. */
function isEndInSight(uri: vscode.Uri): boolean {
  return vscode.window.visibleTextEditors.some(
    ({ document, visibleRanges }) =>
      document.uri.toString() === uri.toString() && (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 3,
  );
}

function revealEnd(document: vscode.TextDocument): void {
  const end = document.lineCount - 1;
  for (const editor of vscode.window.visibleTextEditors)
    if (editor.document === document) editor.revealRange(new vscode.Range(end, 0, end, 0));
}
