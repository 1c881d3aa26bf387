import { defineConfig } from "vitest/config";
import project from "../../vitest.config.ts";

/** The tests of one group of modules, as one project: `run.mjs` names their files. */
const { projects: _, ...common } = project.test ?? {};
export default defineConfig({
  ...project,
  test: {
    ...common,
    globalSetup: [],
    reporters: [],
    testTimeout: 10_000,
    hookTimeout: 10_000,
    include: JSON.parse(process.env["RPC_MUTATION_TESTS"] ?? "[]") as string[],
  },
});
