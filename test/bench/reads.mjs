// @ts-check
/** The least that a program can do to make so many calls, 8 at once: one socket, and nothing but the library. */
import { connectRaw } from "./clients.mjs";

const { url, count, method, params } = JSON.parse(process.argv[2] ?? "{}");
const IN_FLIGHT = 8;

const client = await connectRaw("reads", url);
let left = count;
const work = async () => {
  while (left-- > 0) await client.call(method, { ...params, access_token: undefined });
};
await Promise.all(Array.from({ length: IN_FLIGHT }, work));
client.close();
