import dns from "node:dns";
import net from "node:net";
import tls from "node:tls";

/*
 * The client's side of loopback, seen from outside: which sockets the code under test opens, what the name server says
 * to it, and which authorities its computer knows. All of it is done where an editor or a system would do it, below
 * the options that the code sets itself.
 */

/** All sockets that were opened in this process, until they are removed. */
export interface ClientSockets {
  readonly all: net.Socket[];
  /** No longer looks. */
  dispose(): void;
}

/** Looks at every connection that is made from now on. */
export function watchClientSockets(isOurs: (port: number) => boolean): ClientSockets {
  const all: net.Socket[] = [];
  const watched = <T extends (...args: never[]) => net.Socket>(connect: T): T =>
    ((...args: Parameters<T>) => {
      const socket = connect(...args);
      const [options] = args as unknown as [{ readonly port?: number | string } | undefined];
      if (isOurs(Number(options?.port))) all.push(socket);
      return socket;
    }) as unknown as T;
  const before = { net: net.connect, tls: tls.connect };
  const own = { net: watched(before.net), tls: watched(before.tls) };
  net.connect = own.net;
  tls.connect = own.tls;
  return {
    all,
    dispose() {
      if (net.connect === own.net) net.connect = before.net;
      if (tls.connect === own.tls) tls.connect = before.tls;
    },
  };
}

/** What the name server says: an error code, or never anything. Until the result is called. */
export function spoilNames(says: "ENOTFOUND" | "EAI_AGAIN" | "nothing"): () => void {
  const before = dns.lookup;
  const spoiled = (name: string, ...rest: readonly unknown[]): void => {
    if (says === "nothing") return;
    const callback = rest.at(-1) as (error: Error) => void;
    const error = Object.assign(new Error(`getaddrinfo ${says} ${name}`), {
      code: says,
      errno: -3008,
      syscall: "getaddrinfo",
      hostname: name,
    });
    process.nextTick(() => callback(error));
  };
  dns.lookup = spoiled as unknown as typeof dns.lookup;
  return () => {
    dns.lookup = before;
  };
}

/**
 * Makes an authority known to this process in the way in which the editor makes those of the system known: whoever
 * makes a TLS context gets them added, whatever else the context says. Until the result is called.
 * https://github.com/microsoft/vscode-proxy-agent (`createTlsPatch`)
 */
export function trustAuthority(cert: string): () => void {
  const before = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const context = before(options);
    (context as unknown as { readonly context: { addCACert(cert: string): void } }).context.addCACert(cert);
    return context;
  };
  return () => {
    tls.createSecureContext = before;
  };
}
