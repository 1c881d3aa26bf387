// @ts-check
"use strict";
/** Replaces "vscode" while titles are listed: it can be imported, and throws on use. */
module.exports = require("./standIn.cjs").unusable("vscode");
