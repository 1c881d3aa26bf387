import * as fs from "node:fs/promises";
import * as net from "node:net";
import * as path from "node:path";

/** The names of the pipes that the extension makes on Windows. A pipe of another computer has none of them. */
const PIPE = /^\\\\\.\\pipe\\trading-rpc-[0-9a-f]{32}$/;
/** The permissions of a folder for its group, and for all others. */
const FOR_OTHERS = 0o077;

/**
 * Connects to a socket behind which only a program of this user can be: it and its folder belong to the user, and
 * no other user can enter the folder. Resolves to undefined where that isn't so; rejects where nothing listens.
 */
export async function connectPrivately(address: string): Promise<net.Socket | undefined> {
  if (!(process.platform === "win32" ? PIPE.test(address) : await isPrivate(address))) return undefined;
  const socket = net.connect(address);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return socket;
}

async function isPrivate(address: string): Promise<boolean> {
  if (!path.isAbsolute(address)) return false;
  const [socket, folder] = await Promise.all(
    [address, path.dirname(address)].map(async (each) => await fs.lstat(each)),
  );
  const user = process.getuid?.();
  return (
    socket?.isSocket() === true &&
    folder?.isDirectory() === true &&
    socket.uid === user &&
    folder.uid === user &&
    (folder.mode & FOR_OTHERS) === 0
  );
}
