import * as crypto from "node:crypto";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";

/**
 * A run of the program: each extension host is one. While it lives, it listens on a local socket, over which nothing is
 * sent. The system closes the socket with the process, however that ends and whatever the clocks say.
 */
export interface WindowRun extends Disposable {
  /** The id that tells this run from every other. Letters and digits. */
  readonly id: string;
  /**
   * Whether another run lives, or may live: only a run whose end is proved counts as ended. The end of a run on another
   * computer, or in another container on a shared disk, is never proved.
   */
  readonly isAlive: (id: string) => Promise<boolean>;
}

/**
 * Begins this run. `folder` holds the sockets; it is next to the files that the runs write, so that both are shared
 * alike.
 */
export function createRun({
  folder,
  clock,
  log,
  place = placeOf(folder),
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly place?: string;
}): WindowRun {
  const name = `${Math.floor(clock.now()).toString(36)}${crypto.randomInt(CHANCES).toString(36)}`;
  const own = `${name}${placeCode(place)}`;
  const server = listen(folder, own);
  if (server === undefined)
    log.warn(plain`Other windows cannot see whether this one lives: what it writes down is not taken over by them.`);
  // A code that no other run has: nothing can prove that this one has ended.
  const id = server === undefined ? `${name}${placeCode(crypto.randomUUID())}` : own;
  const isAlive = async (other: string): Promise<boolean> => {
    return other === id || !other.endsWith(placeCode(place)) || !(await isSilent(folder, other));
  };
  void sweep(folder, isAlive).catch((error: unknown) =>
    log.debug(plain`Sockets of ended windows were left: ${plain.text(String(error), 300)}`),
  );
  return {
    id,
    isAlive,
    dispose() {
      server?.close();
      if (server !== undefined && !IS_WINDOWS) fs.rmSync(path.join(folder, `${id}${SOCKET}`), { force: true });
    },
  };
}

const IS_WINDOWS = process.platform === "win32";
const CHANCES = 36 ** 5;
const SOCKET = ".sock";
/** The maximum length of a socket's address, in bytes: the system allows only a little more. */
const MAX_ADDRESS_BYTES = 100;

/** Listens on the socket of a run; undefined if no socket can be made. */
function listen(folder: string, id: string): net.Server | undefined {
  const server = net.createServer((socket) => {
    socket.destroy();
  });
  server.on("error", () => undefined);
  server.unref();
  const open = (address: string): boolean => server.listen({ path: address, exclusive: true }).listening;
  try {
    if (IS_WINDOWS) return open(pipeOf(id)) ? server : undefined;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Under its name it stands only once it listens: a socket that was just made looks like one that was left.
    if (!withAddress(folder, `${id}.new`, open)) return undefined;
    fs.renameSync(path.join(folder, `${id}.new`), path.join(folder, `${id}${SOCKET}`));
    return server;
  } catch {
    server.close();
    return undefined;
  }
}

/** Whether no process listens on the socket of a run. In doubt, e.g. about rights, a process counts as listening. */
async function isSilent(folder: string, id: string): Promise<boolean> {
  const socket = IS_WINDOWS
    ? net.connect(pipeOf(id))
    : withAddress(folder, `${id}${SOCKET}`, (address) => net.connect(address));
  return await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(false));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED" || code === "ENOENT"));
  }).finally(() => socket.destroy());
}

function pipeOf(id: string): string {
  return `\\\\.\\pipe\\trading-rpc-${id}`;
}

/**
 * Runs a function with the address of a socket. If the path is too long for an address, a temporary link replaces its
 * folder.
 */
function withAddress<Result>(folder: string, name: string, use: (address: string) => Result): Result {
  const direct = path.join(folder, name);
  if (Buffer.byteLength(direct) <= MAX_ADDRESS_BYTES) return use(direct);
  const short = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-"));
  const link = path.join(short, "r");
  try {
    fs.symlinkSync(folder, link);
    return use(path.join(link, name));
  } finally {
    fs.rmSync(link, { force: true });
    fs.rmdirSync(short);
  }
}

/** Deletes the names of sockets, which the system keeps when their process is killed. */
async function sweep(folder: string, isAlive: (id: string) => Promise<boolean>): Promise<void> {
  if (IS_WINDOWS) return;
  for (const name of await fs.promises.readdir(folder)) {
    if (name.endsWith(SOCKET) && !(await isAlive(name.slice(0, -SOCKET.length))))
      await fs.promises.rm(path.join(folder, name), { force: true });
  }
}

function placeCode(place: string): string {
  return crypto.createHash("sha256").update(place).digest("hex").slice(0, 8);
}

/**
 * Names the systems for which a silent socket in the folder proves that its process has ended. On a disk of its own,
 * only one system ever listens; if several may share the folder, it is this system until it restarts.
 */
function placeOf(folder: string): string {
  try {
    // The pipes of Windows belong to the computer, wherever the folder is.
    if (IS_WINDOWS) return os.hostname();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isOwnDisk =
      process.platform === "darwin"
        ? fs.statSync(folder).dev === fs.statSync("/private/var").dev
        : OWN_DISKS.has(fs.statfsSync(folder).type);
    return isOwnDisk ? "disk" : fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return os.hostname();
  }
}

/**
 * The file systems of Linux that only one system has open: ext, xfs, btrfs, zfs, f2fs, bcachefs, ecryptfs, tmpfs,
 * ramfs, overlayfs.
 */
const OWN_DISKS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0xf15f, 0x01021994, 0x858458f6, 0x794c7630,
]);
