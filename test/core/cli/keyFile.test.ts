import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { describe, test } from "vitest";
import { readAccess, type TerminalAccess } from "../../../src/cli/access.ts";
import { readKeyFile, type KeyFilePorts } from "../../../src/cli/keyFile.ts";
import { createSecretValues } from "../../../src/rpc/maskSecrets.ts";
import { makeKey, pkcs1, pkcs8, secretLines } from "../../privateKeys.ts";

/* The terminal signs in with a private key that the environment names by its file. */

const KEY = makeKey("ed25519");
const PASSPHRASE = " correct horse ";

interface Read {
  readonly access: TerminalAccess;
  readonly warnings: readonly string[];
  /** What a text of the run looks like in its output. */
  readonly masked: (text: string) => string;
}

/** Reads the access for testnet; `files` by absolute path, those that others can read ending in an exclamation mark. */
async function read(
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  workingFolder = "/home/me/project",
): Promise<Read> {
  const secrets = createSecretValues();
  const warnings: string[] = [];
  const ports: KeyFilePorts = {
    files: {
      workingFolder,
      resolve: (path) => (path.startsWith("/") ? path : `${workingFolder}/${path}`),
      look: async (path) =>
        await Promise.resolve(
          files[path] === undefined
            ? undefined
            : { kind: "file", bytes: files[path].length, isOpenToOthers: path.endsWith("!") },
        ),
      read: async (path) => {
        const text = files[path];
        if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
        return await Promise.resolve(text);
      },
    },
    hide: (secret) => secrets.keep(secret),
    warn: (sentence) => warnings.push(sentence),
  };
  const given = readAccess("test", { TRADING_RPC_CLIENT_ID: "id", ...variables });
  assert.ok(given.kind === "keyFile", JSON.stringify(given));
  return { access: await readKeyFile(given, ports), warnings, masked: (text) => secrets.hide(text) };
}

const FILE = { TRADING_RPC_PRIVATE_KEY_FILE: "/keys/key.pem" };

describe("the file of a private key", () => {
  test("signs in at the server of its own prefix", async () => {
    const { access, warnings } = await read(FILE, { "/keys/key.pem": pkcs8(KEY) });
    assert.deepEqual(access, {
      ...{ kind: "server", url: "wss://test.deribit.com/ws/api/v2", grant: "private_key", clientId: "id" },
      credentials: { kind: "private_key", clientId: "id", privateKey: pkcs8(KEY) },
    });
    assert.deepEqual(warnings, []);
    const own = { TRADING_RPC_TEST_CLIENT_ID: "mine", TRADING_RPC_TEST_PRIVATE_KEY_FILE: "/keys/own.pem" };
    const { access: other } = await read({ ...FILE, ...own }, { "/keys/own.pem": pkcs8(KEY) });
    assert.equal(other.kind === "server" && other.clientId, "mine");
    const mixed = readAccess("test", { ...FILE, TRADING_RPC_TEST_URL: "wss://gateway.example/ws" });
    assert.deepEqual(mixed, {
      kind: "wrong",
      message:
        "TRADING_RPC_TEST_URL can't be used with TRADING_RPC_PRIVATE_KEY_FILE. Set TRADING_RPC_TEST_PRIVATE_KEY_FILE, too.",
    });
  });

  test("is decrypted with the passphrase of its variable, blanks and all", async () => {
    const files = { "/keys/key.pem": pkcs8(KEY, PASSPHRASE) };
    const { access, masked } = await read({ ...FILE, TRADING_RPC_PRIVATE_KEY_PASSPHRASE: PASSPHRASE }, files);
    assert.equal(
      access.kind === "server" && access.credentials.kind === "private_key" && access.credentials.privateKey,
      pkcs8(KEY),
    );
    for (const line of [...secretLines(files["/keys/key.pem"]), ...secretLines(pkcs8(KEY))])
      assert.equal(masked(`a line ${line} of a report`), "a line ‹hidden› of a report");
    const message = async (passphrase: string): Promise<string> => {
      const given = await read({ ...FILE, TRADING_RPC_PRIVATE_KEY_PASSPHRASE: passphrase }, files);
      return given.access.kind === "wrong" ? given.access.message : given.access.kind;
    };
    assert.equal(
      await message(""),
      "TRADING_RPC_PRIVATE_KEY_FILE: The private key is encrypted. Set TRADING_RPC_PRIVATE_KEY_PASSPHRASE.",
    );
    // One in 256 wrong passphrases only shows as one by what it leaves, so that the sentence goes on.
    assert.match(await message("wrong"), /^TRADING_RPC_PRIVATE_KEY_FILE: .*The passphrase is wrong[.,]/);
  });

  test("that cannot be used is told by the name of its variable, without a part of it", async () => {
    const rsa = makeKey("rsa", 1024);
    const rows: readonly (readonly [text: string | undefined, sentence: RegExp])[] = [
      [undefined, /^\/keys\/key\.pem couldn't be read: ENOENT: no such file/],
      [createPublicKey(KEY).export({ type: "spki", format: "pem" }).toString(), /^This is a public key\./],
      [pkcs1(rsa), /^This RSA key has 1024 bits\./],
      ["x".repeat(100_000), /^This is not a private key in PEM format\./],
    ];
    for (const [text, sentence] of rows) {
      const { access } = await read(FILE, text === undefined ? {} : { "/keys/key.pem": text });
      const message = access.kind === "wrong" ? access.message : "";
      assert.match(message.replace("TRADING_RPC_PRIVATE_KEY_FILE: ", ""), sentence);
      for (const line of secretLines(text ?? "")) assert.ok(!message.includes(line));
    }
  });

  test("that others can read, or that is in the working folder: a warning, and the run goes on", async () => {
    const rows: readonly (readonly [path: string, file: string, warnings: readonly RegExp[]])[] = [
      [
        "/keys/key.pem!",
        "/keys/key.pem!",
        [/^TRADING_RPC_PRIVATE_KEY_FILE: Other users of this computer can read \/keys/],
      ],
      [
        "key.pem",
        "/home/me/project/key.pem",
        [/^TRADING_RPC_PRIVATE_KEY_FILE: key\.pem is in the working folder, where/],
      ],
      ["deep/key.pem!", "/home/me/project/deep/key.pem!", [/can read deep/, /in the working folder/]],
      ["/home/me/project-keys/key.pem", "/home/me/project-keys/key.pem", []],
    ];
    for (const [path, file, expected] of rows) {
      const { access, warnings } = await read({ TRADING_RPC_PRIVATE_KEY_FILE: path }, { [file]: pkcs8(KEY) });
      assert.equal(access.kind, "server");
      assert.equal(warnings.length, expected.length, warnings.join("\n"));
      expected.forEach((sentence, index) => {
        assert.match(warnings[index] ?? "", sentence);
      });
    }
    const { warnings } = await read(
      { TRADING_RPC_PRIVATE_KEY_FILE: "C:\\work\\key.pem" },
      { "C:\\work/C:\\work\\key.pem": pkcs8(KEY) },
      "C:\\work",
    );
    assert.equal(warnings.length, 1);
  });
});
