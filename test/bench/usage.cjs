// @ts-check
/**
 * Loaded before a program that is measured from outside: tells who started it, each time it is asked, what the program
 * has used so far. Between two questions it does nothing.
 */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss(), atMs: performance.now() });
});
