import * as fs from "node:fs";
import { isUnfinished, readRecording, tooLarge, type RecordingReading } from "./read.ts";
import type { NextFile, RecordingFile } from "./record.ts";
import { MAX_READ_BYTES } from "./recording.ts";

/*
 * Recordings on the disk. Everything is done before a function returns: so what waits to be written stays small,
 * however slow the disk is, and nothing is lost with a window that may be gone in the next turn.
 */

/** The permissions of a file that only this user may read and write, where the system has such. */
const PRIVATE_MODE = 0o600;
/** The bytes that are read at a time. */
const PIECE_BYTES = 256 * 1024;

/**
 * Creates a file for this user only. `way`: whether it replaces one that is there, or is refused. Throws what the disk
 * says.
 */
export function createRecordingFile(path: string, way: "replace" | "new"): RecordingFile {
  let handle = createPrivate(path, way === "new" ? "wx+" : "w+");
  return {
    append: (text) => fs.appendFileSync(handle, text),
    pieces: () => piecesOf(handle),
    createNext(otherPath = path) {
      const next = createNext(otherPath);
      return {
        ...next,
        replace() {
          // A system may refuse to replace a file that is open.
          if (otherPath === path) fs.closeSync(handle);
          try {
            next.replace();
          } catch (error) {
            if (otherPath === path) handle = fs.openSync(path, "r");
            throw error;
          }
          if (otherPath === path) return;
          // The other path may be another spelling of this one.
          if (isAt(path, handle)) fs.rmSync(path);
          fs.closeSync(handle);
        },
      };
    },
    close: () => fs.closeSync(handle),
    remove() {
      fs.closeSync(handle);
      fs.rmSync(path, { force: true });
    },
  };
}

/** Begins a file beside one, which takes its place once it is complete. */
function createNext(path: string): NextFile {
  const ownPath = `${path}.new`;
  // One of a program that died.
  fs.rmSync(ownPath, { force: true });
  const handle = createPrivate(ownPath, "wx");
  let isOpen = true;
  const close = (): void => {
    if (isOpen) fs.closeSync(handle);
    isOpen = false;
  };
  return {
    append: (text) => fs.appendFileSync(handle, text),
    replace() {
      close();
      fs.renameSync(ownPath, path);
    },
    remove() {
      close();
      fs.rmSync(ownPath, { force: true });
    },
  };
}

/** Whether an open file is the one at a path. */
function isAt(path: string, handle: number): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.ino === fs.fstatSync(handle).ino;
}

function createPrivate(path: string, flags: string): number {
  const handle = fs.openSync(path, flags, PRIVATE_MODE);
  // The mode of a file that was there already stays as it was.
  fs.fchmodSync(handle, PRIVATE_MODE);
  return handle;
}

/** Reads a recording of any origin from the disk. Throws what the disk says. */
export function readRecordingFile(path: string): RecordingReading {
  return withFile(path, (handle) =>
    fs.fstatSync(handle).size > MAX_READ_BYTES ? tooLarge() : readRecording(piecesOf(handle)),
  );
}

/** Whether a file is a recording that was not finished; false for one that cannot be read. */
export function isUnfinishedFile(path: string): boolean {
  try {
    return withFile(path, (handle) => {
      const [beginning = ""] = piecesOf(handle);
      return isUnfinished(beginning);
    });
  } catch {
    return false;
  }
}

function withFile<T>(path: string, use: (handle: number) => T): T {
  const handle = fs.openSync(path, "r");
  try {
    return use(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function* piecesOf(handle: number): Generator<string> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(PIECE_BYTES);
  for (let at = 0; ;) {
    const count = fs.readSync(handle, bytes, 0, PIECE_BYTES, at);
    at += count;
    yield decoder.decode(bytes.subarray(0, count), { stream: count > 0 });
    if (count === 0) return;
  }
}
