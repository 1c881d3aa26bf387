/** The languages, grammars, schemas and labels of request files, environment files and the extension's documents. */
export const DOCUMENTS = {
  languages: [
    {
      id: "jsonc",
      filenames: ["rpc.env.json", "rpc.env.local.json"],
      filenamePatterns: ["*.rpc.json"],
    },
    {
      id: "trading-rpc-response",
      aliases: ["JSON-RPC Response"],
      filenamePatterns: ["**/trading-rpc-response/*"],
      configuration: "./media/response-language.json",
    },
  ],
  configurationDefaults: {
    "[trading-rpc-response]": {
      "editor.wordWrap": "on",
    },
  },
  grammars: [
    {
      language: "trading-rpc-response",
      scopeName: "source.trading-rpc-response",
      path: "./media/response-grammar.json",
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
      scheme: "trading-rpc-response",
      formatting: {
        label: "${query.t}",
        separator: "/",
      },
    },
  ],
} as const;
