import * as l10n from "../base/l10n.ts";
import { createSecretValues, hiderOf, type SecretValues } from "../rpc/maskSecrets.ts";
import { secretsOf } from "./access.ts";
import { readArguments } from "./arguments.ts";
import { helpText } from "./help.ts";
import { EXIT, type ExitCode } from "./report.ts";
import { complain, type Shell } from "./shell.ts";

/**
 * Runs a command line. Resolves to its exit code; rejects only for an internal error. Each command is loaded when it is
 * asked for: what is here, and what it imports, is loaded even for the help.
 */
export async function runCommandLine(words: readonly string[], shell: Shell): Promise<ExitCode> {
  const secrets = secretsIn(shell);
  const masked = maskedShell(shell, (text) => secrets.hide(text));
  const commandLine = readArguments(words);
  if (commandLine.kind === "simulator") return await shell.simulator(commandLine.words);
  if (commandLine.kind === "wrong") {
    const sentences = [commandLine.message, l10n.t("Run trading-rpc --help for usage.")];
    // What was typed by mistake may be a key. What a server sends, and a report, is never hidden by its look.
    return complain(maskedShell(shell, hiderOf(secrets)), sentences, EXIT.usage);
  }
  if (commandLine.kind !== "help" && commandLine.kind !== "version" && commandLine.kind !== "completion")
    return await runLoaded(commandLine, masked, secrets);
  masked.writeOut(await printedText(commandLine, shell));
  return EXIT.passed;
}

/** Returns what a command prints that does nothing else. */
async function printedText(
  commandLine: Extract<CommandLine, { readonly kind: "help" | "version" | "completion" }>,
  { version }: Shell,
): Promise<string> {
  switch (commandLine.kind) {
    case "help":
      return helpText(commandLine.command);
    case "version":
      return `${version}\n`;
    case "completion":
      return (await import("./call/completion.ts")).bashCompletion();
  }
}

type CommandLine = ReturnType<typeof readArguments>;
type LoadedCommand = Exclude<CommandLine["kind"], "help" | "version" | "wrong" | "completion" | "simulator">;

/** Loads a command, and runs it. */
async function runLoaded(
  commandLine: Extract<CommandLine, { readonly kind: LoadedCommand }>,
  masked: Shell,
  secrets: SecretValues,
): Promise<ExitCode> {
  switch (commandLine.kind) {
    case "run":
      return await (await import("./runCommand.ts")).run(commandLine.wishes, masked, secrets);
    case "call":
      return await (await import("./call/call.ts")).call(commandLine, masked, secrets);
    case "mcp":
      return await (await import("./mcp/mcp.ts")).serveAgents(commandLine.wishes, masked, secrets);
    case "record":
      return await recordWith(commandLine, masked, secrets);
    case "replay":
      return await (await import("./replay.ts")).replay(commandLine.wishes, masked);
    case "probe":
      return await (await import("./probe/probe.ts")).probe(commandLine.wishes, masked, secrets);
    case "check":
      return await (await import("./checking/check.ts")).check(commandLine.wishes, masked);
    case "methods":
      return (await import("./methods.ts")).printMethods(commandLine.wishes, masked);
    case "stress":
    case "audit":
      return await (await import("./stress/judge.ts")).judge(commandLine, masked);
  }
}

function secretsIn({ variables }: Shell): SecretValues {
  const secrets = createSecretValues();
  for (const secret of secretsOf(variables)) secrets.keep(secret);
  return secrets;
}

/** Returns a shell whose texts went through a function that hides secrets. */
function maskedShell(shell: Shell, hide: (text: string) => string): Shell {
  return {
    ...shell,
    writeOut: (text) => shell.writeOut(hide(text)),
    writeError: (text) => shell.writeError(hide(text)),
    terminal: {
      isAttended: shell.terminal.isAttended,
      readLine: async (prompt, isHidden) => await shell.terminal.readLine(hide(prompt), isHidden),
    },
    files: { ...shell.files, write: async (path, text) => await shell.files.write(path, hide(text)) },
  };
}

/** Records what its files say, or another program through a proxy. */
async function recordWith(
  { wishes, record: own }: Extract<CommandLine, { readonly kind: "record" }>,
  shell: Shell,
  secrets: SecretValues,
): Promise<ExitCode> {
  const { record, recordedRun } = await import("./record.ts");
  const { environment } = wishes;
  const { proxyPort: port } = own;
  const conduct: Parameters<typeof record>[1]["conduct"] =
    port === undefined
      ? async (begin) => await (await import("./runCommand.ts")).run(wishes, shell, secrets, recordedRun(own, begin))
      : async (begin) =>
          await (await import("./recordProxy.ts")).runProxy({ environment, port }, shell, { begin, secrets });
  return await record(own, { ...shell, environment, masked: hiderOf(secrets), conduct });
}
