/** The languages, grammars, schemas and labels of request files, environment files and the extension's documents. */
export const DOCUMENTS = {
  languages: [
    {
      id: "jsonc",
      filenames: ["rpc.env.json", "rpc.env.local.json"],
      filenamePatterns: ["*.rpc.json"],
    },
    {
      id: "trading-rpc-answer",
      aliases: ["JSON-RPC Answer"],
      filenamePatterns: ["**/trading-rpc-answer/*"],
      configuration: "./media/answer-language.json",
    },
  ],
  configurationDefaults: {
    "[trading-rpc-answer]": {
      "editor.wordWrap": "on",
    },
  },
  grammars: [
    {
      language: "trading-rpc-answer",
      scopeName: "source.trading-rpc-answer",
      path: "./media/answer-grammar.json",
    },
  ],
  jsonValidation: [
    {
      fileMatch: "*.rpc.json",
      url: "./media/rpc.schema.json",
    },
    {
      fileMatch: ["rpc.env.json", "rpc.env.local.json"],
      url: "./media/rpc.env.schema.json",
    },
  ],
  resourceLabelFormatters: [
    {
      scheme: "trading-rpc-answer",
      formatting: {
        label: "${query.t}",
        separator: "/",
      },
    },
  ],
} as const;
