// @ts-check
import WebSocket from "ws";

/*
 * What the bots of these tests share: a client over WebSocket that does what the documentation of the exchange says.
 * It signs in, answers heartbeats, and connects again when its link is lost. It never sends a call twice.
 */

/** @typedef {Record<string, any>} Wire an object as it goes over the wire */
/** @typedef {{ answersHeartbeats?: boolean, hasOneId?: boolean, timeoutMs?: number }} ExchangeOptions */

/** The time that a bot waits after an error that passes, in ms. */
export const PAUSE_MS = 1100;

/** An error response. */
export class Refused extends Error {
  /** @param {{ code: number, message: string }} error */
  constructor({ code, message }) {
    super(`${code} ${message}`);
    this.code = code;
  }
}

/** There is no response that can be read: the call may have been carried out. */
export class Unknown extends Error {}

/** @param {number} ms */
export const pause = async (ms) => await new Promise((resolve) => setTimeout(resolve, ms));

/** The codes of a sign-in that is missing or over. */
const SIGNED_OUT = [13009, 13010, 13003];

export class Exchange {
  /** Called with each event. @type {(channel: string, data: Wire) => void} */
  onEvent = () => undefined;
  /** Runs after each sign-in, before anything else is called. @type {() => Promise<void>} */
  onSignIn = async () => await Promise.resolve();
  /** How often it has signed in. */
  signIns = 0;
  /** @type {WebSocket | undefined} */
  socket;
  #lastId = 0;
  /** @type {Map<number, (message: Wire | undefined) => void>} */
  #waiting = new Map();
  #options;

  /** @param {ExchangeOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
  }

  /** Connects and signs in, until both succeed. */
  async open() {
    for (;;) {
      try {
        await this.#dial();
        await this.signIn();
        return;
      } catch {
        this.close();
        await pause(PAUSE_MS);
      }
    }
  }

  async signIn() {
    const { TRADING_RPC_SIM_CLIENT_ID: client_id, TRADING_RPC_SIM_CLIENT_SECRET: client_secret } = process.env;
    await this.send("public/auth", { grant_type: "client_credentials", client_id, client_secret });
    await this.send("public/set_heartbeat", { interval: 10 });
    this.signIns++;
    await this.onSignIn();
  }

  close() {
    this.socket?.terminate();
    this.socket = undefined;
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Calls once. Connects first where the link was lost. @param {string} method @param {Wire} [params] */
  async call(method, params = {}) {
    if (!this.isOpen) await this.open();
    try {
      return await this.send(method, params);
    } catch (error) {
      if (error instanceof Refused && SIGNED_OUT.includes(error.code)) await this.signIn().catch(() => this.close());
      throw error;
    }
  }

  /** Reads until that succeeds. @param {string} method @param {Wire} [params] */
  async read(method, params = {}) {
    for (;;) {
      try {
        return await this.call(method, params);
      } catch {
        await pause(PAUSE_MS);
      }
    }
  }

  /** Sends over the link as it is. @param {string} method @param {Wire} params @returns {Promise<any>} */
  async send(method, params) {
    const { socket } = this;
    if (socket === undefined || !this.isOpen) throw new Unknown("not connected");
    const id = this.#options.hasOneId === true ? 1 : ++this.#lastId;
    const message = await new Promise((/** @type {(message: Wire | undefined) => void} */ resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.#options.timeoutMs ?? 800);
      this.#waiting.set(id, (each) => {
        clearTimeout(timer);
        resolve(each);
      });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
    this.#waiting.delete(id);
    if (message === undefined) throw new Unknown(method);
    if (message["error"] !== undefined) throw new Refused(message["error"]);
    return message["result"];
  }

  async #dial() {
    const socket = new WebSocket(String(process.env["TRADING_RPC_SIM_URL"]), { handshakeTimeout: 2000 });
    this.socket = socket;
    socket.on("message", (data) => this.#take(JSON.parse(String(data))));
    socket.on("close", () => {
      for (const settle of this.#waiting.values()) settle(undefined);
      this.#waiting.clear();
    });
    await new Promise((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", reject);
    });
  }

  /** @param {Wire} message */
  #take(message) {
    if (message["method"] === "subscription") this.onEvent(message["params"].channel, message["params"].data);
    else if (message["method"] === "heartbeat") {
      if (message["params"].type === "test_request" && this.#options.answersHeartbeats !== false)
        this.send("public/test", {}).catch(() => undefined);
    } else this.#waiting.get(message["id"])?.(message);
  }
}
