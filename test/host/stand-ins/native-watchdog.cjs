// @ts-check
"use strict";
/*
 * Stands in for @vscode/native-watchdog, without which the extension host does not start and whose original is
 * compiled. Its purpose, to end a host whose server is gone, is served by looking once a second.
 */

/** @param {number} pid */
exports.start = (pid) => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(0);
    }
  }, 1000).unref();
};

/** @param {number} [code] */
exports.exit = (code) => process.exit(code ?? 0);
