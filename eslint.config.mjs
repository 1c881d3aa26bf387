import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "test/host/**", "test/planted/.cache/**", "src/catalogue/generated/**", "esbuild.js", "eslint.config.mjs", "test/.out/**", "**/*.mjs", "**/*.cjs"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/return-await": ["error", "always"],
      "@typescript-eslint/promise-function-async": "error",
      "@typescript-eslint/strict-boolean-expressions": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // Numbers appear in sentences all the time.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "no-console": "error",
      eqeqeq: "error",
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true, named: true } }],
      "no-restricted-globals": ["error", "setTimeout", "setInterval", "setImmediate", "Date"],
      "no-restricted-properties": ["error", { object: "Math", property: "random", message: "Take a Random." }],
      "no-warning-comments": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 14],
      "max-params": ["error", 4],
      "max-depth": ["error", 3],
    },
  },
  {
    files: ["src/base/clock.ts"],
    rules: { "no-restricted-globals": "off" },
  },
  {
    files: ["test/**"],
    rules: {
      "no-restricted-globals": "off",
      "max-lines-per-function": "off",
      "max-lines": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      // node:test's own functions return promises that the runner awaits.
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", name: ["test", "describe", "it", "suite"], package: "node:test" }] }],
    },
  },
);
