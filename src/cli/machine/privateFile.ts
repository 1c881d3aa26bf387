import * as fs from "node:fs/promises";
import type { PrivateFile } from "../secretFile.ts";

/** The most bytes of a secret for which room is taken; the exchange's have 43 characters. */
const SECRET_ROOM = 4096;

/** Creates a file that only this user may read. Its room on the disk is taken before anything is to be kept there. */
export async function createPrivate(file: string): Promise<PrivateFile> {
  const handle = await fs.open(file, "wx", 0o600);
  const remove = async (): Promise<void> => {
    await handle.close().catch(() => undefined);
    await fs.rm(file);
  };
  try {
    await handle.writeFile(" ".repeat(SECRET_ROOM));
    await handle.sync();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, 0);
      if (bytesWritten < bytes.length) throw new Error("only a part was written");
      await handle.truncate(bytes.length);
      await handle.sync();
      await handle.close();
    },
    remove,
  };
}

/** Tries whether a file can be written, and leaves everything as it was. Rejects with the reason where it can't. */
export async function tryWrite(file: string): Promise<void> {
  const found = await fs.stat(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) await (await createPrivate(file)).remove();
  else if (found.isFile() || found.isDirectory()) await (await fs.open(file, "r+")).close();
  // A pipe would be read to its end once it was opened and closed.
  else await fs.access(file, fs.constants.W_OK);
}
