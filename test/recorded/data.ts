import * as fs from "node:fs";
import * as path from "node:path";
import { describe } from "vitest";

/** Where the exchange's recorded and documented messages are, outside the repository. */
export const DATA = path.resolve("../shared/exchange/data");

/** A suite that reads the messages when it is entered. It is not run where they are absent. */
export function describeRecorded(name: string, body: () => void): void {
  if (fs.existsSync(DATA))
    describe(name, () => {
      body();
    });
}

/** Names of all messages. */
export function dataFiles(): string[] {
  return fs.readdirSync(DATA).filter((file) => file.endsWith(".json"));
}

/** A message as its file has it. */
export function fileText(file: string): string {
  return fs.readFileSync(path.join(DATA, file), "utf8");
}
