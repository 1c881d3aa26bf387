// @ts-check
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { markProcesses } from "./host/process.mjs";

/** What tests start, and what they leave in the folder for temporary files, goes when they have ended. */
export default function setup() {
  // Each project calls it; one does it for all.
  if (process.env["RPC_TEST_FOLDER"] !== undefined) return undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-"));
  process.env["RPC_TEST_FOLDER"] = process.env["TMPDIR"] = folder;
  const endProcesses = markProcesses();
  return async () => {
    await endProcesses();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
}
