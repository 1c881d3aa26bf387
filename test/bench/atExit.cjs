// @ts-check
/** Loaded before a program that is measured from outside: at its end it writes what it has used into a file. */
const fs = require("node:fs");

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  fs.writeFileSync(
    process.env["BENCH_USAGE"] ?? "",
    JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, residentKb: maxRSS }),
  );
});
