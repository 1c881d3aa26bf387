import type { OrderView } from "../../../src/exchange/orders/order.ts";

/** Makes a limit order that rests. */
export function openOrder(
  id: string,
  of: Pick<OrderView, "account" | "instrument" | "direction" | "amount" | "price">,
): OrderView {
  return {
    ...of,
    id,
    type: "limit",
    originalType: undefined,
    state: "open",
    filled: 0,
    cost: 0,
    timeInForce: "good_til_cancelled",
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    quote: undefined,
    refreshAmount: undefined,
    displayAmount: undefined,
    label: "",
    mmp: false,
    isLiquidation: false,
    trigger: undefined,
    triggerPrice: undefined,
    triggerOffset: undefined,
    triggerReferencePrice: undefined,
    triggerOrderId: undefined,
    otoOrderIds: [],
    ocoRef: undefined,
    primaryOrderId: undefined,
    isSecondaryOto: false,
    isPrimaryOtoco: false,
    fillCondition: undefined,
    createdAtMs: 0,
    updatedAtMs: 0,
    endsAtMs: undefined,
    replaced: false,
    cancelReason: undefined,
    refusal: undefined,
  };
}
