import type { ResultOf } from "../../catalogue/index.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import type { AccountRegister } from "../accounts/accountRegister.ts";
import type { AnyHandler, IsolatedRouting } from "../methods/isolatedMethods.ts";
import type { OrderSpec } from "../methods/orderTerms.ts";
import { refusal } from "../text/errors.ts";

/** An order as private/get_order_state describes it. */
type DescribedOrder = ResultOf<"private/get_order_state">;

/** A hidden subaccount of isolated margin, as a test sees it. */
export interface DescribedSlot {
  readonly id: number;
  /** The instrument that it serves; null while it is free. */
  readonly instrument_name: string | null;
  readonly open_orders: readonly DescribedOrder[];
  /** The position in that instrument, signed; 0 without one. */
  readonly position: number;
}

/** The control of isolated margin, at a played gateway alone. */
export interface IsolatedControl {
  /**
   * Places an isolated order, as another client of the account would. `allocated_margin`: the margin that moves to its
   * slot (default: what is needed).
   */
  placeIsolated(spec: OrderSpec & { readonly allocated_margin?: number }): DescribedOrder;
  /** Returns all slots, oldest first. */
  slots(): readonly DescribedSlot[];
}

interface IsolatedControlPorts {
  readonly accounts: readonly SimulatedAccount[];
  readonly register: AccountRegister;
  readonly handlerOf: IsolatedRouting["handlerOf"];
  readonly flush: () => void;
}

/** Makes the control. `flush` sends the events of what it did. */
export function createIsolatedControl({ accounts, register, handlerOf, flush }: IsolatedControlPorts): IsolatedControl {
  return {
    placeIsolated({ direction, ...spec }) {
      const params = { ...spec, isolated: true };
      const handler = handlerOf(`private/${direction}`, params);
      if (handler === undefined) throw refusal(-32_601);
      // Of a connection, placing needs the number alone, and this order comes over none of ours.
      const call = { params, connection: { number: 0 }, authorisation: undefined };
      const text = handler(call as unknown as Parameters<AnyHandler>[0]);
      flush();
      return (JSON.parse(text) as { readonly order: DescribedOrder }).order;
    },
    slots: () =>
      register.all().flatMap(({ id, isolatedOf, isolatedInstrument: name }) => {
        const world = accounts.find((each) => each.id === id)?.world;
        if (isolatedOf === undefined || world === undefined) return [];
        const orders = [...world.openOrders()].map((order) => JSON.parse(world.text(order)) as DescribedOrder);
        return [
          {
            id,
            instrument_name: name ?? null,
            open_orders: orders,
            position: name === undefined ? 0 : world.position(name),
          },
        ];
      }),
  };
}
