// @ts-check
"use strict";
/*
 * Loaded before everything else into every Node process of VS Code's server, the extension host among them: notes each
 * name that is looked up and each address that a socket dials, one line of JSON each, in the file that
 * RPC_SOCKET_WATCH names. Whatever library dials, it comes by here.
 */
const dns = require("node:dns");
const fs = require("node:fs");
const net = require("node:net");

const file = process.env["RPC_SOCKET_WATCH"];

/** @param {Record<string, unknown>} what */
function note(what) {
  if (file !== undefined) fs.appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...what })}\n`);
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = /** @type {typeof connect} */ (
  /** @this {net.Socket} @param {any[]} args */
  function (...args) {
    // Node's own callers hand over one list, which it marks by a symbol.
    const first = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (typeof first === "object" && first !== null && !first.path)
      note({ host: first.host ?? "localhost", port: Number(first.port) });
    else if (typeof first === "number")
      note({ host: typeof args[1] === "string" ? args[1] : "localhost", port: first });
    return Reflect.apply(connect, this, args);
  }
);

/** @param {object} module with functions whose first argument is a name */
function watchNames(module) {
  for (const name of Object.keys(module).filter((each) => /^(?:lookup$|resolve)/.test(each))) {
    const original = Reflect.get(module, name);
    if (typeof original !== "function") continue;
    Reflect.set(
      module,
      name,
      /** @this {unknown} @param {unknown[]} args */ function (...args) {
        note({ name: String(args[0]) });
        return Reflect.apply(original, this, args);
      },
    );
  }
}
watchNames(dns);
watchNames(dns.promises);
