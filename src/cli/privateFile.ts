import * as fs from "node:fs/promises";
import type { PrivateFile } from "./secretFile.ts";

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
    await handle.write(" ".repeat(SECRET_ROOM), 0);
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
