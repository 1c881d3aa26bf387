import path from "node:path";
import { expect, TestRunner } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Golden files that a test has compared. */
    goldens?: string[];
  }
}

/**
 * Compares a text with a file of the tests, `*.golden.txt`, named from the project's folder. `npm run golden` writes
 * these files; otherwise a missing one fails the test, and one that no test compares fails the run (`results.mjs`).
 */
export async function expectGolden(file: string, text: string): Promise<void> {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta !== undefined) meta.goldens = [...(meta.goldens ?? []), file];
  await expect(text).toMatchFileSnapshot(path.resolve(file));
}
