// @ts-check
"use strict";
/*
 * Stands in for @vscode/spdlog, whose original is compiled. VS Code keeps its logs and every extension's log channel
 * through it: without it the Output view stays empty. Files are not rotated; a run is short.
 */
const fs = require("node:fs");
const path = require("node:path");

const NAMES = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  /** @param {string} _type @param {string} _name @param {string} file */
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
    // An output channel watches its file from the start.
    fs.closeSync(fs.openSync(file, "a"));
  }

  /** @param {number} level @param {string} message */
  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace("T", " ").replace("Z", "");
    const line = this.raw ? message : `${time} [${NAMES[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // The folder is removed while the last lines arrive.
    }
  }

  /** @param {string} message */
  trace(message) {
    this.write(0, message);
  }
  /** @param {string} message */
  debug(message) {
    this.write(1, message);
  }
  /** @param {string} message */
  info(message) {
    this.write(2, message);
  }
  /** @param {string} message */
  warn(message) {
    this.write(3, message);
  }
  /** @param {string} message */
  error(message) {
    this.write(4, message);
  }
  /** @param {string} message */
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  /** @param {number} level */
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.raw = false;
  }
  clearFormatters() {
    this.raw = true;
  }
  flush() {}
  drop() {}
}

/** @param {string} name @param {string} file */
async function createLogger(name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger("rotating", name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
