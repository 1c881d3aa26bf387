import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Disposable, DisposableList } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  channelText,
  createEventRing,
  type ChannelSource,
  type EventRing,
  type Following,
} from "../../present/observing/channelDocument.ts";
import { environmentWord } from "../../present/connections/connectionWords.ts";
import { failureSentences } from "../../present/text/failureText.ts";
import { payloadText } from "../../requests/running/channels.ts";
import { isOfOtherSubject } from "../../session/session.ts";
import { documentUri } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import { createLiveDocuments, type Drawing, type LiveDocument, type LiveDocumentUi } from "./liveDocuments.ts";

/** Read-only documents that show the events of channels as they come, for as long as they are open. */
export interface ChannelDocuments {
  /** Follows channels and shows their document; shows the existing one if they are already followed. */
  follow(live: LiveConnection, channels: readonly string[]): Promise<void>;
  /** Stops following these channels in documents, not in views. Returns the number of documents that followed them. */
  end(connectionId: string, channels: readonly string[]): number;
  text(uri: vscode.Uri): string;
  readonly handlers: Handlers;
}

/** The document of some channels. */
interface Feed extends LiveDocument {
  /** Lets go of these channels; of all if they are left out. */
  end(reason: string, channels?: readonly string[]): boolean;
}

export function createChannelDocuments(ui: LiveDocumentUi, disposables: DisposableList): ChannelDocuments {
  const gone = l10n.t("You are no longer subscribed to this channel. Send the request again.");
  const documents = createLiveDocuments<Feed>(
    {
      noun: "channel",
      newest: "last",
      gone,
      filterTitle: l10n.t("Filter Events"),
      filterPrompt: l10n.t(
        "Show only events that contain this text. Leave it empty to show all. Hidden events are kept.",
      ),
    },
    ui,
    disposables,
  );
  return {
    async follow(live, channels) {
      const uri = addressOf(live, channels);
      await documents.show(uri, (drawing) => createFeed(uri, { live, channels, drawing }, ui), true);
    },
    end(connectionId, channels) {
      const reason = l10n.t("Ended by an unsubscribe request.");
      return documents.all.filter((feed) => feed.connectionId === connectionId && feed.end(reason, channels)).length;
    },
    text: (uri) => documents.at(uri)?.text() ?? `// ${gone}\n`,
    handlers: {
      "tradingRpc.channel.stop": documents.stop,
      "tradingRpc.channel.pause": documents.pause,
      "tradingRpc.channel.clear": documents.clear,
      "tradingRpc.channel.filter": documents.filter,
    },
  };
}

interface FeedSource {
  readonly live: LiveConnection;
  readonly channels: readonly string[];
  readonly drawing: Drawing;
}

function createFeed(uri: vscode.Uri, { live, channels, drawing }: FeedSource, { clock, times }: LiveDocumentUi): Feed {
  const { place, record } = live;
  const ring = createEventRing();
  const states = new Map<string, Following>(channels.map((channel) => [channel, { kind: "waiting" }]));
  const held = new Map<string, Disposable>();
  let paused: Pick<EventRing, "events" | "total"> | undefined;
  let endReason: string | undefined;

  const release = (which: readonly string[]): void => {
    for (const channel of which) held.get(channel)?.dispose();
    for (const channel of which) held.delete(channel);
  };
  const end = (reason: Plain, which: readonly string[] = channels): boolean => {
    const mine = which.filter((channel) => held.has(channel));
    if (mine.length === 0) return false;
    release(mine);
    if (held.size === 0) endReason = reason;
    else for (const channel of mine) states.set(channel, { kind: "refused", reason });
    drawing.soon();
    return true;
  };
  for (const channel of channels) {
    held.set(
      channel,
      live.followChannel(
        channel,
        (_data, frameText) => {
          ring.add({ channel, atMs: clock.now(), payloadText: payloadText(frameText) ?? "null" });
          drawing.soon();
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
          drawing.soon();
        },
      ),
    );
  }
  // Events of another account would stand in one list with those of this one.
  const watch = live.onDidChangeState((state) => {
    if (state.status === "off") end(l10n.t("{0} was disconnected.", plain.text(place)));
    else if (isOfOtherSubject(state)) end(l10n.t("{0} switched to another account.", plain.text(place)));
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
    get state() {
      if (endReason !== undefined) return "stopped";
      return paused === undefined ? "running" : "paused";
    },
    text: () => channelText(source()),
    pause() {
      paused = paused === undefined ? { events: [...ring.events], total: ring.total } : undefined;
      drawing.now();
    },
    clear() {
      ring.clear();
      paused = undefined;
      drawing.now();
    },
    stop: () => void end(l10n.t("Stopped. Send the request again to resume.")),
    end,
    buttons: () => [],
    dispose() {
      release(channels);
      watch.dispose();
    },
  };
  return feed;
}

/** Returns the address of a document: one for each connection and set of channels. */
function addressOf(live: LiveConnection, channels: readonly string[]): vscode.Uri {
  const [first = "", ...others] = channels;
  const name = plain.name(others.length === 0 ? first : `${first} +${String(others.length)}`);
  const title = l10n.t("{0} ▸ live ({1})", name, environmentWord(live.environment));
  return documentUri("channel", title, { live: live.record.id, channels });
}
