import { parentPort, workerData } from "node:worker_threads";
import { takeInventory, type InventoryOptions } from "./inventory.ts";

void takeInventory(workerData as InventoryOptions).then((text) => {
  parentPort?.postMessage(text);
});
