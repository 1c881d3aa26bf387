import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { aboutOf } from "../changes/changes.ts";
import { spotProblem } from "../changes/spotRules.ts";
import type { GatePorts, LinkHolder } from "./gatePorts.ts";
import type { Intent } from "../intent/intent.ts";

/* What the confirmation of an order says about its life beyond its terms: what cancels it, and who fills it. */

/** The longest wait of a confirmation for the setting, in ms: it is read with the sign-in. */
const PATIENCE_MS = 2000;

/** Returns what the confirmation of orders says about their life, as sentences. None for all other changes. */
export async function orderFateLines(
  ports: Pick<GatePorts, "clock" | "cancelOnDisconnect" | "holder">,
  intents: readonly Intent[],
): Promise<readonly Plain[]> {
  const placed = intents.filter(({ method }) => aboutOf(method) === "newOrder");
  const isOverLink = placed.some(({ transport = "webSocket" }) => transport === "webSocket");
  const tied = isOverLink ? tiedSentence(await isOnNow(ports), ports.holder) : undefined;
  return [...(tied === undefined ? [] : [tied]), ...routedLines(intents)];
}

/**
 * Returns what cancel-on-disconnect means for an order that is placed over the connection. A program ends with its run,
 * so that it also matters where the setting is not known.
 */
export function tiedSentence(isOn: boolean | undefined, holder: LinkHolder = "window"): Plain | undefined {
  if (holder === "window")
    return isOn === true
      ? l10n.t("Cancel-on-disconnect (COD) is on. The exchange cancels the order when this connection ends.")
      : undefined;
  if (isOn === false) return undefined;
  return isOn === true
    ? l10n.t("Cancel-on-disconnect (COD) is on. The exchange cancels the order when this program ends.")
    : l10n.t(
        "It isn't known whether cancel-on-disconnect (COD) is on. If it is, the exchange cancels the order when this program ends.",
      );
}

/** Returns what it means that orders are passed on to another venue, and why that one would refuse one of them. */
function routedLines(intents: readonly Intent[]): readonly Plain[] {
  const routed = intents.filter(({ isRouted }) => isRouted === true);
  if (routed.length === 0) return [];
  const problems = routed.flatMap(
    ({ paramsText }) => spotProblem(parseObject(paramsText) ?? {}, { kind: "spot", isRouted: true }) ?? [],
  );
  return [routedSentence(), ...new Set(problems)];
}

function routedSentence(): Plain {
  return l10n.t(
    "The exchange passes the order on to another venue. It is filled, or refused with error 11030, after the exchange acknowledged it.",
  );
}

async function isOnNow({
  clock,
  cancelOnDisconnect,
}: Pick<GatePorts, "clock" | "cancelOnDisconnect">): Promise<boolean | undefined> {
  if (cancelOnDisconnect === undefined) return undefined;
  return await new Promise((resolve) => {
    const timer = clock.after(PATIENCE_MS, () => resolve(undefined));
    void cancelOnDisconnect.known().then((isOn) => {
      timer.dispose();
      resolve(isOn);
    });
  });
}
