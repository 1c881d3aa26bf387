import * as vscode from "vscode";
import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import type { Times } from "../../present/text/times.ts";
import { indentJson } from "../../requests/text/indent.ts";
import type { ResponseDocuments } from "./responseDocuments.ts";

interface ReadingPorts {
  readonly responses: ResponseDocuments;
  readonly clock: Clock;
  readonly times: Times;
}

/**
 * Reads an object and shows the response as a document: rows have only the precision of a number. `name` tells its
 * document from those of other objects. Returns the outcome.
 */
export async function showReading(
  live: LiveConnection,
  name: string,
  intent: Intent,
  { responses, clock, times }: ReadingPorts,
): Promise<Outcome> {
  const outcome = await live.gate.submit(intent);
  const result = { intent, outcome, effect: "read" as const, problems: [], canSendAnyway: false };
  await responses.show({
    fileUri: name,
    folder: vscode.workspace.workspaceFolders?.[0]?.uri,
    source: {
      result: { ...result, id: undefined, activityId: undefined },
      environment: live.environment,
      connectionName: live.name,
      endedAtMs: clock.now(),
      verdicts: [],
      times,
    },
  });
  return outcome;
}

/** Copies objects that were read: one as it is, several as an array. Nothing is copied where there is none. */
export async function copyJsonTexts(texts: readonly string[]): Promise<void> {
  const [text] = texts;
  if (text !== undefined)
    await vscode.env.clipboard.writeText(texts.length === 1 ? text : indentJson(`[${texts.join(",")}]`).text);
}

/** Reads an object and returns it as indented JSON; where it cannot be read, what is known of it. */
export async function readJson(live: LiveConnection, intent: Intent, known: object): Promise<string> {
  const outcome = await live.gate.submit(intent);
  return outcome.kind === "confirmed"
    ? indentJson(outcome.response.bodyText).text
    : JSON.stringify(known, undefined, 2);
}
