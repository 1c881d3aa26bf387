import { messageOf, toFailure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { silentLog } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import { linkFailureText } from "../present/text/failureText.ts";
import { createBotRecording } from "../recording/bots/botRecording.ts";
import type { Recorder } from "../recording/record.ts";
import type { SecretValues } from "../rpc/maskSecrets.ts";
import { webSocketAddressOf } from "../rpc/address.ts";
import { dialWebSocket } from "../rpc/webSocketTransport.ts";
import { startSimulatorThread } from "../session/simulatorWorker.ts";
import type { Environment } from "../state/records.ts";
import { readAccess } from "./access.ts";
import { startProxy, type RunningProxy } from "./machine/proxyServer.ts";
import { EXIT, type ExitCode } from "./report.ts";
import { complain, type Shell } from "./shell.ts";

/** What a proxy leads to, and where it listens. */
interface ProxyWishes {
  readonly environment: Environment;
  readonly port: number;
}

/** What a recording is made with. */
interface Recording {
  readonly begin: () => Recorder;
  /** What is hidden in it: the secrets of the program are added. */
  readonly secrets: SecretValues;
}

/** The one server behind a proxy. */
interface Upstream {
  readonly url: string;
  /** Lines about how to sign in, for a simulator of this process. */
  readonly access: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Lets another program talk to a server through a proxy, and records that, until it is stopped. */
export async function runProxy(
  { environment, port }: ProxyWishes,
  shell: Shell,
  { begin, secrets }: Recording,
): Promise<ExitCode> {
  const upstream = await upstreamOf(environment, shell).catch((error: unknown) =>
    linkFailureText(toFailure(error), l10n.t("the simulator")),
  );
  if (typeof upstream === "string") return complain(shell, [upstream], EXIT.usage);
  const { clock, stop } = shell;
  const server = new URL(upstream.url).host;
  let proxy: RunningProxy;
  try {
    proxy = await startProxy({
      port,
      dial: async (signal) => await dialWebSocket(upstream.url, { clock }, signal),
      notes: createBotRecording(begin(), secrets),
      onFailure: (error) => void complain(shell, [linkFailureText(toFailure(error), server)], EXIT.noConnection),
    });
  } catch (error) {
    await upstream.stop();
    return complain(shell, [startFailure(error, port)], EXIT.usage);
  }
  shell.writeOut(readyText(proxy, server, upstream));
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve());
  });
  await proxy.close();
  await upstream.stop();
  return EXIT.passed;
}

async function upstreamOf(
  environment: Environment,
  { variables, simulatorFile }: Pick<Shell, "variables" | "simulatorFile">,
): Promise<Upstream | Plain> {
  const access = readAccess(environment, variables);
  if (access.kind === "wrong") return access.message;
  if (access.kind !== "ownSimulator")
    return { url: webSocketAddressOf(access.url), access: [], stop: async () => await Promise.resolve() };
  const simulator = await startSimulatorThread(simulatorFile, silentLog, () => undefined);
  return {
    url: simulator.webSocket,
    access: [
      `  ${l10n.t("Client ID")}      ${simulator.clientId}`,
      `  ${l10n.t("Client secret")}  ${simulator.clientSecret}`,
    ],
    stop: async () => await simulator.stop(),
  };
}

function readyText({ webSocket }: RunningProxy, server: string, { access }: Upstream): string {
  return [
    l10n.t("Recording what passes to {0}. Connect your program to this address.", plain.text(server)),
    `  WebSocket      ${webSocket}`,
    ...access,
    l10n.t("Press Ctrl+C to stop it."),
    "",
  ].join("\n");
}

function startFailure(error: unknown, port: number): Plain {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EADDRINUSE"
    ? l10n.t("Port {0} is in use. Use --port 0 to pick a free one.", port)
    : l10n.t("The proxy couldn't start: {0}", plain.text(messageOf(error)));
}
