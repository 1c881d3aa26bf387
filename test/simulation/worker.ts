import { parentPort, workerData } from "node:worker_threads";
import { runCampaign, type CampaignOptions } from "./campaign.ts";

void runCampaign(workerData as CampaignOptions).then((report) => parentPort?.postMessage(report));
