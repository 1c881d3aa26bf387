import { parentPort, workerData } from "node:worker_threads";
import { runCampaign, type CampaignOptions } from "./campaign.ts";
import { runSoak, type SoakOptions } from "./soak.ts";

const options = workerData as CampaignOptions | SoakOptions;
void ("hours" in options ? runSoak(options) : runCampaign(options)).then((report: unknown) => {
  parentPort?.postMessage(report);
});
