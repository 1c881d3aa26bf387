import * as l10n from "../base/l10n.ts";
import { createSecretValues } from "../rpc/maskSecrets.ts";
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
  const secrets = createSecretValues();
  for (const secret of secretsOf(shell.variables)) secrets.keep(secret);
  const masked: Shell = {
    ...shell,
    writeOut: (text) => shell.writeOut(secrets.hide(text)),
    writeError: (text) => shell.writeError(secrets.hide(text)),
    terminal: {
      isAttended: shell.terminal.isAttended,
      readLine: async (prompt, isHidden) => await shell.terminal.readLine(secrets.hide(prompt), isHidden),
    },
    files: { ...shell.files, write: async (path, text) => await shell.files.write(path, secrets.hide(text)) },
  };
  const commandLine = readArguments(words);
  switch (commandLine.kind) {
    case "help":
      masked.writeOut(helpText(commandLine.command));
      return EXIT.passed;
    case "version":
      masked.writeOut(`${shell.version}\n`);
      return EXIT.passed;
    case "wrong":
      return complain(masked, [commandLine.message, l10n.t("Run trading-rpc --help for usage.")], EXIT.usage);
    case "run":
      return await (await import("./runCommand.ts")).run(commandLine.wishes, masked, secrets);
    case "call":
      return await (await import("./call/call.ts")).call(commandLine, masked, secrets);
    case "completion":
      masked.writeOut((await import("./call/completion.ts")).bashCompletion());
      return EXIT.passed;
    case "record": {
      const { wishes, record: recordWishes } = commandLine;
      const [{ record }, { run }] = await Promise.all([import("./record.ts"), import("./runCommand.ts")]);
      return await record(recordWishes, {
        ...masked,
        environment: wishes.environment,
        masked: (text) => secrets.hide(text),
        run: async (recorded) => await run(wishes, masked, secrets, recorded),
      });
    }
    case "replay":
      return await (await import("./replay.ts")).replay(commandLine.wishes, masked);
    case "check":
      return await (await import("./checking/check.ts")).check(commandLine.wishes, masked);
    case "methods":
      return (await import("./methods.ts")).printMethods(commandLine.wishes, masked);
    case "stress":
      return await (await import("./stress/stress.ts")).stress(commandLine.words, masked);
    case "simulator":
      return await shell.simulator(commandLine.words);
  }
}
