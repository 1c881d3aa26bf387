import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import project from "../../vitest.config.ts";

const FILES = JSON.parse(process.env["RPC_MUTATION_TESTS"] ?? "[]") as readonly string[];

/** Runs the files in the order of `modules.mjs`: most mutants end at a module's own test, before the others are loaded. */
class AsNamed extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => FILES.findIndex((file) => moduleId.endsWith(file));
    return await Promise.resolve(specifications.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

/** The tests of one group of modules, as one project: `run.mjs` names their files. */
const { projects: _, ...common } = project.test ?? {};
export default defineConfig({
  ...project,
  test: {
    ...common,
    globalSetup: [],
    reporters: [],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    include: [...FILES],
    sequence: { sequencer: AsNamed },
  },
});
