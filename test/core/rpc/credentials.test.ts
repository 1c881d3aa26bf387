import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "vitest";
import { recordWithoutSecrets } from "../../../src/actions/journal/journal.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { runCommandLine } from "../../../src/cli/main.ts";
import type { Shell } from "../../../src/cli/shell.ts";
import { createRedactor } from "../../../src/recording/redact.ts";
import { checkFile } from "../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { pasteRequest } from "../../../src/requests/writing/paste.ts";
import { hasCredential } from "../../../src/rpc/credentialLook.ts";
import { createJwt } from "../../../src/session/jwt.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";

/* JSON Web Tokens and private keys in PEM that nothing was told about, in everything that is kept or printed. */

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const SEC1 = EC.export({ type: "sec1", format: "pem" }).toString();
const PKCS8 = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const ENCRYPTED = EC.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "canary" }).toString();
const JWT = createJwt({ clientId: "organizations/1/apiKeys/2", privateKey: PKCS8 }, { nowMs: 1e12, random: () => 0.5 });

/** Each form with the parts of it that must not be seen. */
const FORMS: readonly (readonly [name: string, text: string, parts: readonly string[]])[] = [
  ["a JWT", JWT, JWT.split(".")],
  ["a JWT without its signature", JWT.split(".").slice(0, 2).join("."), JWT.split(".").slice(0, 2)],
  ...(
    [
      ["EC, SEC1", SEC1],
      ["Ed25519, PKCS#8", PKCS8],
      ["EC, encrypted", ENCRYPTED],
    ] as const
  ).flatMap(([name, pem]) => {
    const lines = pem.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
    return [
      [name, pem, lines],
      [`${name}, line breaks written as \\n`, pem.replaceAll("\n", "\\n"), lines],
      [`${name}, line breaks written twice`, pem.replaceAll("\n", "\\\\n"), lines],
      [`${name}, in one line`, pem.replaceAll("\n", " "), lines],
      [`${name}, without its end`, pem.slice(0, pem.indexOf("-----END")), lines],
    ] as const;
  }),
];

function leaks(text: string, parts: readonly string[]): readonly string[] {
  return parts.filter((part) => text.includes(part));
}

async function printed(text: string): Promise<string> {
  const written: string[] = [];
  const keep = (each: string): void => void written.push(each);
  const shell = { version: "1", variables: {}, writeOut: keep, writeError: keep, terminal: {}, files: {} };
  await runCommandLine([text], shell as unknown as Shell);
  return written.join("");
}

describe("nothing that is kept or printed has", () => {
  for (const [name, text, parts] of FORMS)
    test(name, async () => {
      const lines: string[] = [];
      const keep = (message: string): void => void lines.push(message);
      const log = createMaskingLog({ ...silentLog, warn: keep }, () => 0);
      log.warn(plain.text(`The server said: bad token ${text}, sorry`, Infinity));
      const record = recordWithoutSecrets({
        ...{ intentId: "1", connectionId: "1", atMs: 1, step: "asked", method: "private/buy" },
        paramsText: JSON.stringify({ label: text, note: `see ${text}` }),
      } as unknown as Parameters<typeof recordWithoutSecrets>[0]);
      const redactor = createRedactor();
      const told: Readonly<Record<string, string>> = {
        log: lines.join(""),
        "lines for a support file": JSON.stringify(log.recent),
        hidden: log.hide(text),
        journal: JSON.stringify(record),
        "a recorded response": redactor.redact(JSON.stringify({ label: text, message: `bad ${text}` }), "private/buy"),
        "recorded words": redactor.redactWords(`bad ${text}`),
        terminal: await printed(text),
      };
      for (const [place, found] of Object.entries(told))
        assert.deepEqual(leaks(found, parts), [], `${place}: ${found}`);
      assert.match(
        told["log"] ?? "",
        /^The server said: bad token ‹hidden›.*sorry$|^The server said: bad token ‹hidden›$/,
      );
      assert.match(told["hidden"] ?? "", /^‹hidden›[\s\\n]*$/);
    });
});

describe("a pasted request", () => {
  for (const [name, text, parts] of FORMS)
    test(`does not take in ${name}, whatever its name`, () => {
      const pasted = pasteRequest(JSON.stringify({ method: "private/buy", params: { label: text, amount: 1 } }));
      assert.deepEqual(leaks(JSON.stringify(pasted ?? {}), parts), []);
      const curl = pasteRequest(
        `curl 'https://drb.coinbase.com/api/v2/private/get_positions?currency=USDC' -H 'Authorization: Bearer ${JWT}'`,
      );
      assert.deepEqual(leaks(JSON.stringify(curl ?? {}), JWT.split(".")), []);
    });
});

test("a request file warns of them under any name, and is not refused for them", () => {
  for (const [name, text] of FORMS) {
    const file = scanRequests(JSON.stringify({ method: "private/cancel_by_label", params: { label: text } }));
    const told = checkFile(file).filter(({ code }) => code === "secretLiteral");
    assert.deepEqual(
      told.map(({ severity }) => severity),
      ["warning"],
      name,
    );
  }
});

test("what is data is not taken for one", () => {
  const PUBLIC = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----";
  for (const text of ["ETH-PERPETUAL", "eyJhbGciOiJub25lIn0", "a.b.c", PUBLIC, "user.orders.any.any.raw", "eyJa.eyJb"])
    assert.ok(!hasCredential(text), text);
});
