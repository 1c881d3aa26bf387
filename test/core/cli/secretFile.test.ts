import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { createSecretFile, type SecretFile, type SecretFilePorts } from "../../../src/cli/secretFile.ts";
import { readArguments } from "../../../src/cli/arguments.ts";
import { OneTimeSecret } from "../../../src/rpc/oneTimeSecret.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";

const VALUE = "only-once-1234567890";

interface Lab {
  readonly file: SecretFile;
  /** What happened, in order. */
  readonly happened: readonly string[];
}

function createLab({ write, ...ports }: Partial<SecretFilePorts> & { readonly write?: () => Promise<void> } = {}): Lab {
  const happened: string[] = [];
  const note = (what: string): void => void happened.push(what);
  const file = createSecretFile({
    path: "secret.txt",
    create: async (path) => {
      note(`create ${path}`);
      return await Promise.resolve({
        write: async (text) => {
          await write?.();
          note(`write ${JSON.stringify(text)}`);
        },
        remove: async () => {
          note("remove");
          await Promise.resolve();
        },
      });
    },
    hide: (secret) => note(`hide ${secret}`),
    useSecret: async (clientId) => {
      note(`use ${clientId}`);
      await Promise.resolve();
    },
    onNote: note,
    ...ports,
  });
  return { file, happened };
}

function response(oneTime: OneTimeSecret | undefined): MaskedResponse {
  return { result: { id: 7, client_id: "abc" }, ...(oneTime === undefined ? {} : { oneTime }) } as MaskedResponse;
}

async function prepared(file: SecretFile): Promise<SecretPlace> {
  const place = await file.prepare();
  assert.ok(!("kind" in place), JSON.stringify(place));
  return place;
}

describe("--secret-file", () => {
  test("is created when the request is prepared, hidden from all output before anything is told, and used at once", async () => {
    const { file, happened } = createLab();
    const place = await prepared(file);
    assert.deepEqual(happened, ["create secret.txt"]);
    assert.deepEqual(place.lines, ["The client secret is written to secret.txt, which only you can read."]);
    const secret = new OneTimeSecret("client_secret", VALUE);
    await place.take(response(secret));
    assert.deepEqual(happened.slice(1), [
      `hide ${VALUE}`,
      `write "${VALUE}\\n"`,
      "The client secret was written to secret.txt.",
      "use abc",
    ]);
    assert.equal(OneTimeSecret.open(secret), undefined);
    await file.close();
    assert.deepEqual([file.isLost, happened.includes("remove")], [false, false]);
  });

  test("that can't be written is told, and the run fails; the connection signs in with the secret all the same", async () => {
    const { file, happened } = createLab({ write: async () => await Promise.reject(new Error("the disk is full")) });
    await (await prepared(file)).take(response(new OneTimeSecret("client_secret", VALUE)));
    assert.deepEqual(happened.slice(2), [
      "The client secret couldn't be written to secret.txt: the disk is full. Reset the API key to get another.",
      "remove",
      "use abc",
    ]);
    assert.equal(file.isLost, true);
  });

  test("takes one secret: another request is refused, unless the first one was not sent", async () => {
    const { file } = createLab();
    const place = await prepared(file);
    assert.match(JSON.stringify(await file.prepare()), /client secret of one request/);
    await place.release();
    await prepared(file);
  });

  test("goes again where nothing came: the request was refused, or had no secret, or its response was lost", async () => {
    for (const [end, told] of [
      [async (file: SecretFile) => await (await prepared(file)).release(), undefined],
      [
        async (file: SecretFile) => await (await prepared(file)).take(response(undefined)),
        "The response has no client secret.",
      ],
      [
        async (file: SecretFile) => {
          await prepared(file);
          await file.close();
        },
        "The client secret was lost with the response, so secret.txt was deleted.",
      ],
    ] as const) {
      const { file, happened } = createLab();
      await end(file);
      assert.deepEqual(happened, ["create secret.txt", ...(told === undefined ? [] : [told]), "remove"]);
      await file.close();
      assert.equal(happened.filter((each) => each === "remove").length, 1);
    }
  });

  test("is refused where the path is taken, or can't be created, or was not named", async () => {
    const failing = async (error: Error): Promise<string> =>
      JSON.stringify(await createLab({ create: async () => await Promise.reject(error) }).file.prepare());
    assert.match(await failing(Object.assign(new Error("EEXIST"), { code: "EEXIST" })), /secret\.txt already exists/);
    assert.match(await failing(new Error("no such folder")), /secret\.txt can't be created: no such folder/);
    assert.match(JSON.stringify(await createLab({ path: undefined }).file.prepare()), /--secret-file is for/);
  });

  test("is a path, not a secret, on the command line", () => {
    const read = readArguments(["run", "a.rpc.json", "--env", "sim", "--secret-file", "keys/secret.txt"]);
    assert.equal(read.kind === "run" && read.wishes.secretFile, "keys/secret.txt");
    assert.equal(readArguments(["run", "a.rpc.json", "--env", "sim", "--secret-file"]).kind, "wrong");
    assert.equal(readArguments(["run", "a.rpc.json", "--env", "sim", "--secret", "x"]).kind, "wrong");
  });
});
