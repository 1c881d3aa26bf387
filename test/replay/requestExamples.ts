import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../src/catalogue/index.ts";
import { checkFile } from "../../src/requests/checking/check.ts";
import { pasteRequest } from "../../src/requests/writing/paste.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import type { Book } from "./book.ts";

/*
 * Request examples are request files, as they stand and pasted. That they are sent and answered is shown by the layer
 * that plays messages.
 */

const contract = allMethods().filter(({ isContract }) => isContract);

/** Rules that a text breaks, in order. */
function rulesBroken(text: string): string[] {
  return checkFile(scanRequests(text)).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

/**
 * A token in clear is the one thing of an example that a file is warned of; pasted, it becomes that of the connection.
 */
const TOKEN_WARNING = [
  "warning secretLiteral: refresh_token is a secret. Don't put secrets in files, because files get shared and committed. Use {{$session.refreshToken}} for the connection's token. This value is sent as written.",
];

export function describeRequestExamples({ messages, files }: Book): void {
  const textOf = (file: string): string => `${messages(file)}\n`;
  const examplesOf = (method: string): readonly string[] =>
    files.filter((file) => file.startsWith(`${method.replace("/", "_")}.request`));

  describe("request examples of the core specification", () => {
    test("there is one of each of the ten methods", () => {
      assert.equal(contract.length, 10);
      for (const { name } of contract) assert.notDeepEqual(examplesOf(name), [], name);
    });

    for (const { name } of contract) {
      for (const file of examplesOf(name)) {
        const text = textOf(file);
        test(`${file} is a valid file as it stands`, () => {
          assert.deepEqual(rulesBroken(text), name === "public/exchange_token" ? TOKEN_WARNING : []);
          const [request] = scanRequests(text).requests;
          assert.equal(request?.method, name);
          assert.deepEqual(JSON.parse(request.paramsText), (JSON.parse(text) as { readonly params: unknown }).params);
        });

        test(`${file} is valid pasted, alone and with its response below it`, () => {
          const response = files.find((each) => each.startsWith(`${name.replace("/", "_")}.response`));
          assert.ok(response !== undefined);
          const pasted = pasteRequest(text);
          const withResponse = pasteRequest(`${text}\n${textOf(response)}`);
          const isSwitch = name === "public/exchange_token";
          assert.deepEqual(rulesBroken(pasted?.text ?? ""), []);
          assert.equal(withResponse?.text, pasted?.text);
          assert.deepEqual(withResponse?.notes.slice(-1), [
            "The request was inserted without the response next to it.",
          ]);
          assert.deepEqual(
            pasted?.notes,
            isSwitch ? ["refresh_token is a secret and was replaced by {{$session.refreshToken}}."] : [],
          );
          if (!isSwitch) assert.equal(pasted.text, text.trim());
        });
      }
    }

    test("every other example of a request, and every response, is read without an error", () => {
      let requests = 0;
      let responses = 0;
      for (const file of files.filter((each) =>
        /\.(request|response)\..*json$|\.(request|response)\.json$/.test(each),
      )) {
        const pasted = pasteRequest(textOf(file));
        if (pasted === undefined) continue;
        if (pasted.text === "") responses++;
        else requests++;
        assert.equal(pasted.text === "", !file.includes(".request"), file);
        assert.deepEqual(
          scanRequests(pasted.text).requests.flatMap((each) =>
            each.problems.filter(({ severity }) => severity === "error"),
          ),
          [],
          file,
        );
      }
      assert.ok(requests >= 10 && responses >= 10, `${String(requests)} ${String(responses)}`);
    });
  });
}
