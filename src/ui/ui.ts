import type * as vscode from "vscode";
import type { Journals } from "../actions/journal/journals.ts";
import type { LiveConnections } from "../actions/connection/liveConnections.ts";
import type { Ask } from "../actions/intent/question.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Times } from "../present/text/times.ts";
import type { Connections } from "../state/connections.ts";
import type { TakeTurns } from "./editor/ask.ts";
import type { SetContext } from "./editor/contextKeys.ts";
import type { Dialogs } from "./editor/dialogs.ts";
import type { RunCommand } from "./editor/handler.ts";
import type { Notices } from "./editor/notices.ts";
import type { Settings } from "./editor/settings.ts";
import type { ResponseDocuments } from "./responses/responseDocuments.ts";
import type { Screen } from "./tree/screen.ts";

/**
 * The services that are made once per window and that the rooms share. A function takes the ones that it uses, e.g.
 * `Pick<Ui, "dialogs" | "clock">`; what only one room knows is passed beside them.
 */
export interface Ui {
  readonly clock: Clock;
  readonly times: Times;
  readonly log: Log;
  readonly settings: Settings;
  readonly dialogs: Dialogs;
  readonly notices: Notices;
  readonly responses: ResponseDocuments;
  readonly screen: Screen;
  readonly connections: Connections;
  readonly liveConnections: LiveConnections;
  readonly journals: Journals;
  /** Puts one confirmation at a time. */
  readonly ask: Ask;
  readonly takeTurns: TakeTurns;
  readonly run: RunCommand;
  readonly setContext: SetContext;
  /** Keeps a secret out of the log from now on. */
  readonly mask: (secret: string) => void;
  readonly extensionUri: vscode.Uri;
}
