import * as crypto from "node:crypto";
import type * as vscode from "vscode";
import { bareMethod } from "../../catalogue/index.ts";
import type { PlaceholderNames } from "../../present/requests/placeholderSuggestions.ts";
import type { FileRequest } from "../../requests/file/file.ts";
import { environmentVariables } from "../../requests/values/environmentFile.ts";
import { createLookup, type Lookup } from "../../requests/values/variables.ts";
import type { Ui } from "../ui.ts";
import type { EnvironmentFiles } from "./environmentFiles.ts";
import type { NamedResults } from "./namedResults.ts";
import type { RequestScans } from "./requestDocuments.ts";
import type { RequestTargets } from "./targets.ts";

/**
 * What everything about request files shares. All help with writing them comes from what is known: nothing calls the
 * exchange but the lists of `neededLists`, which are read at most once an hour.
 */
export interface RequestUi extends Pick<
  Ui,
  "ask" | "clock" | "dialogs" | "liveConnections" | "screen" | "settings" | "times"
> {
  readonly scans: RequestScans;
  readonly targets: RequestTargets;
  readonly results: NamedResults;
  readonly environments: EnvironmentFiles;
  /** The page that explains problems and hints. */
  readonly problemPage: vscode.Uri;
  /** Returns the methods that were sent from files last, the newest first. */
  readonly recentMethods: () => readonly string[];
}

/** Returns everything that placeholders of a request can name, with its values. */
export function placeholderNames(
  document: vscode.TextDocument,
  request: FileRequest,
  ui: Pick<RequestUi, "scans" | "results" | "environments" | "clock" | "targets">,
): PlaceholderNames {
  const { uri } = document;
  const file = ui.scans.of(document);
  const target = ui.targets.of(uri);
  const responses = ui.results.of(uri);
  const environmentVars = environmentsOf(uri, ui);
  const inFile = [...request.run.vars, ...file.vars].map(({ name }) => name);
  const lookup = createLookup({
    resultOf: (name) => responses.get(name),
    runVars: request.run.vars,
    fileVars: file.vars,
    environmentVars,
    environment: target?.environment ?? "simulator",
    clock: ui.clock,
    uuid: () => crypto.randomUUID(),
  });
  return {
    variables: [...new Set([...inFile, ...environmentVars.flatMap(({ values }) => [...values.keys()])])],
    results: responses.all,
    waiting: [...ui.scans.named(document)]
      .filter(([name]) => responses.get(name) === undefined)
      .map(([name, { method }]) => ({ name, method: method && bareMethod(method.value) })),
    lookup: target === undefined ? withoutEnvironment(lookup) : lookup,
  };
}

/** Returns the variables of environment files; without a connection, only those for all environments. */
export function environmentsOf(
  uri: vscode.Uri,
  { targets, environments }: Pick<RequestUi, "targets" | "environments">,
): ReturnType<typeof environmentVariables> {
  const files = environments.known(uri);
  const target = targets.of(uri);
  if (target !== undefined) return environmentVariables(files, target.environment);
  return environmentVariables(files, "simulator").filter(({ source }) => source.section === "*");
}

function withoutEnvironment(lookup: Lookup): Lookup {
  return (path) => (path === "$env" ? undefined : lookup(path));
}
