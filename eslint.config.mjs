import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: ["dist/**", "**/.cache/**", "test/.out/**", "src/catalogue/generated/**", "test/host/untyped.d.ts"],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // A third of the linter's time for nothing: there are no enums here, and private members make classes nominal.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
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
      // A text that a translator or the exchange has to find whole is not broken.
      "max-len": [
        "error",
        {
          code: 120,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
          ignoreUrls: true,
          // A type in a comment is one line for the compiler.
          ignorePattern: "@(type|typedef|param|returns) ",
        },
      ],
      "max-lines": ["error", { max: 395, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 128, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 14],
      "max-params": ["error", 4],
      "max-depth": ["error", 3],
    },
  },
  {
    // The table has a line for each code of the exchange.
    files: ["src/catalogue/errorTable.ts"],
    rules: {
      "max-lines": ["error", { max: 490, skipBlankLines: true, skipComments: true }],
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
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", name: ["test", "describe", "it", "suite"], package: "node:test" },
          ],
        },
      ],
    },
  },
  {
    // Programs of the build and of the tests: their types are checked by the compiler, from their comments.
    files: ["**/*.{js,mjs,cjs}"],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ["**/*.{js,mjs,cjs}"],
    rules: {
      "no-console": "off",
      "no-restricted-globals": "off",
      "no-restricted-properties": "off",
      "no-restricted-exports": "off",
      "max-lines": "off",
      "max-lines-per-function": "off",
      "max-params": "off",
      complexity: "off",
      "max-depth": "off",
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/triple-slash-reference": "off",
      // What stands in for VS Code has classes because VS Code has.
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/no-this-alias": "off",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      "@typescript-eslint/explicit-module-boundary-types": "off",
    },
  },
);
