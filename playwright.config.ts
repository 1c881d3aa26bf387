import os from "node:os";
import { defineConfig, type Project } from "@playwright/test";
import { size } from "./test/rounds.mjs";

const MINUTE_MS = 60_000;

/** The longest tests begin first. */
const PROJECTS: readonly Project[] = [
  { name: "hostile", testDir: "test/host/hostile" },
  { name: "presses", testDir: "test/host/presses", timeout: 20 * MINUTE_MS },
  { name: "start", testDir: "test/host", testMatch: "start.test.mjs" },
  // Each `describe` shares a window and is a unit, so that those of a file run side by side.
  { name: "windows", testDir: "test/host/windows", fullyParallel: true },
  // What is measured is measured without a trace, one window at a time.
  { name: "load", testDir: "test/host/load", timeout: 90 * MINUTE_MS, workers: 1, use: { trace: "off" } },
  { name: "contactSheets", testDir: "test/host", testMatch: "contactSheets.test.mjs", timeout: 20 * MINUTE_MS },
];

export default defineConfig({
  projects: [...PROJECTS],
  testMatch: "*.test.mjs",
  forbidOnly: true,
  retries: 0,
  // A window waits more than it works.
  workers: Math.max(2, os.availableParallelism()) + 1,
  timeout: 4 * MINUTE_MS,
  globalTimeout: (size === "long" ? 240 : 90) * MINUTE_MS,
  globalSetup: ["./test/globalSetup.mjs", "./test/packageSetup.mjs"],
  outputDir: "test/.out/windows",
  reporter: "list",
  use: {
    // A film costs a third of all work, and the page as a tree would double it: helpers look many times a second.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: true },
    screenshot: "only-on-failure",
  },
});
