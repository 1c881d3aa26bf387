"use strict";
/** Loaded first by the processes that pictures are taken of: their day is the same in every run. */
const shiftMs = Number(process.env["RPC_CLOCK_SHIFT_MS"]);
const { now } = Date;
Date.now = () => now() + shiftMs;
