/** The settings that are whole numbers, by their names without the prefix, for the manifest and for the reader. */
export const INTEGER_SETTINGS = {
  "safety.allowChangesMinutes": { minimum: 1, maximum: 240, default: 30 },
  "connection.requestTimeoutMs": { minimum: 1000, maximum: 120_000, default: 15_000 },
  "connection.idleDisconnectMinutes": { minimum: 0, maximum: 1440, default: 0 },
  "orders.pageSize": { minimum: 20, maximum: 1000, default: 200 },
  "positions.refreshSeconds": { minimum: 2, maximum: 300, default: 5 },
  "alarms.maintenanceMarginPercent": { minimum: 10, maximum: 100, default: 80 },
  "alarms.fillUsd": { minimum: 0, maximum: 1_000_000_000, default: 0 },
  "alarms.mmpFreezeSeconds": { minimum: 0, maximum: 3600, default: 10 },
  "requests.concurrency": { minimum: 1, maximum: 64, default: 16 },
} as const;

export type IntegerSetting = keyof typeof INTEGER_SETTINGS;
