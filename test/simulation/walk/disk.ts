/* A disk in memory, in the place of node:fs/promises: what is written is there at once, whatever the machine does. */

interface Entry {
  data: Buffer;
  mtimeMs: number;
}

const files = new Map<string, Entry>();
const folders = new Set<string>();
let writes = 0;

function change(entry: Entry, data: Buffer): void {
  entry.data = data;
  entry.mtimeMs = ++writes;
}

/** Everything on it. */
export const disk = {
  clear(): void {
    files.clear();
    folders.clear();
  },
  /** Undefined where there is none. */
  read: (path: string): Buffer | undefined => files.get(path)?.data,
  write(path: string, data: Buffer): void {
    const entry = files.get(path) ?? { data, mtimeMs: 0 };
    change(entry, data);
    files.set(path, entry);
  },
  delete: (path: string): boolean => files.delete(path),
  isFolder: (path: string): boolean =>
    folders.has(path) || [...files.keys()].some((file) => file.startsWith(`${path}/`)),
  get paths(): readonly string[] {
    return [...files.keys()];
  },
  /** Names in a folder, with whether each is a folder itself. */
  list(folder: string): ReadonlyMap<string, boolean> {
    const names = new Map<string, boolean>();
    for (const path of [...files.keys(), ...folders]) {
      if (!path.startsWith(`${folder}/`)) continue;
      const [name = "", ...rest] = path.slice(folder.length + 1).split("/");
      names.set(name, rest.length > 0 || folders.has(`${folder}/${name}`) || (names.get(name) ?? false));
    }
    return names;
  },
};

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: "ENOENT" });
}

function entryOf(path: string): Entry {
  const entry = files.get(path);
  if (entry === undefined) throw missing(path);
  return entry;
}

export interface FileHandle {
  appendFile(text: string): Promise<void>;
  writeFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export async function open(path: string, flags: string): Promise<FileHandle> {
  await Promise.resolve();
  if (flags === "w" || !files.has(path)) disk.write(path, Buffer.alloc(0));
  // As on a real disk, the file can be written after it was moved or deleted.
  const entry = entryOf(path);
  return {
    appendFile: async (text) => {
      change(entry, Buffer.concat([entry.data, Buffer.from(text)]));
      await Promise.resolve();
    },
    writeFile: async (text) => {
      change(entry, Buffer.from(text));
      await Promise.resolve();
    },
    datasync: async () => {
      await Promise.resolve();
    },
    close: async () => {
      await Promise.resolve();
    },
  };
}

export async function mkdir(path: string): Promise<void> {
  await Promise.resolve();
  folders.add(path);
}

export async function readFile(path: string): Promise<string> {
  await Promise.resolve();
  return entryOf(path).data.toString("utf8");
}

export async function writeFile(path: string, text: string): Promise<void> {
  await Promise.resolve();
  disk.write(path, Buffer.from(text));
}

export async function readdir(path: string, options?: { readonly withFileTypes?: boolean }): Promise<unknown[]> {
  await Promise.resolve();
  if (!disk.isFolder(path)) throw missing(path);
  const names = [...disk.list(path)];
  return options?.withFileTypes === true
    ? names.map(([name, isFolder]) => ({ name, isDirectory: () => isFolder }))
    : names.map(([name]) => name);
}

export async function unlink(path: string): Promise<void> {
  await Promise.resolve();
  if (!files.delete(path)) throw missing(path);
}

export async function rm(path: string, options?: { readonly force?: boolean }): Promise<void> {
  await Promise.resolve();
  if (!files.delete(path) && options?.force !== true) throw missing(path);
}

export async function rmdir(path: string): Promise<void> {
  await Promise.resolve();
  if (disk.list(path).size > 0) throw Object.assign(new Error("ENOTEMPTY"), { code: "ENOTEMPTY" });
  folders.delete(path);
}

export async function rename(from: string, to: string): Promise<void> {
  await Promise.resolve();
  files.set(to, entryOf(from));
  files.delete(from);
}

export async function stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  await Promise.resolve();
  const { data, mtimeMs } = entryOf(path);
  return { size: data.length, mtimeMs };
}

export function writeFileSync(path: string, text: string): void {
  if (disk.isFolder(path)) throw missing(path);
  disk.write(path, Buffer.from(text));
}

export function chmodSync(path: string): void {
  entryOf(path);
}
