import type { Wanted } from "../../src/requests/running/plan.ts";
import type { RunFile } from "./schedule.ts";

/** A file that is sent as a whole, and what it may do. */
export interface FilledFile {
  readonly text: string;
  readonly wanted: Wanted;
  /** The writes that may leave, in order, each once. */
  readonly writes: readonly {
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>> | "from a response";
  }[];
  /** By the place of a request in the file: a number that stands in that read alone, by which its frame is known. */
  readonly marks: readonly (number | undefined)[];
}

export interface FilePorts {
  readonly orderId: string;
  readonly key: { readonly id: number; readonly scope: string };
  readonly way: "own" | "http";
  readonly mark: () => number;
}

interface Part {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly run?: Readonly<Record<string, unknown>>;
  readonly mark?: number;
}

const RFQS = "private/cancel_all_block_rfq_quotes";

/** Makes the file of a name. */
export function fillFile(name: RunFile, { orderId, key, way, mark }: FilePorts): FilledFile {
  const read = (run: Readonly<Record<string, unknown>> = {}): Part => {
    const count = mark();
    return {
      method: "public/get_last_trades_by_instrument",
      params: { instrument_name: "BTC-PERPETUAL", count },
      run,
      mark: count,
    };
  };
  const cancel = (id: string, run: Readonly<Record<string, unknown>> = {}): Part => ({
    method: "private/cancel",
    params: { order_id: id },
    run,
  });
  const file = (
    parts: readonly Part[],
    writes: FilledFile["writes"],
    wanted: Wanted = { kind: "all" },
  ): FilledFile => ({
    text: JSON.stringify(
      parts.map(({ method, params, run }, id) => ({
        jsonrpc: "2.0",
        id,
        method,
        ...(params === undefined ? {} : { params }),
        $run: { ...run, ...(way === "http" ? { transport: "http" } : {}) },
      })),
    ),
    wanted,
    writes,
    marks: parts.map((part) => part.mark),
  });
  const own = { method: "private/cancel", params: { order_id: orderId } };
  switch (name) {
    case "a write in the middle":
      return file([read(), read(), cancel(orderId), read()], [own]);
    case "chained":
      return file(
        [
          { method: "private/get_open_orders", run: { name: "open" } },
          cancel("{{open.result[0].order_id}}", { name: "gone", expect: { result: { order_state: "cancelled" } } }),
          read({ after: ["gone"] }),
        ],
        [{ method: "private/cancel", params: "from a response" }],
      );
    case "expectation":
      return file(
        [
          read(),
          {
            method: "private/get_order_state",
            params: { order_id: orderId },
            run: { expect: { result: { order_state: "open" } } },
          },
          cancel(orderId),
          read(),
        ],
        [own],
      );
    case "reference to a write":
      return file(
        [
          cancel(orderId, { name: "gone" }),
          { method: "private/get_order_state", params: { order_id: "{{gone.result.order_id}}" } },
          read(),
        ],
        [],
        { kind: "from", index: 1 },
      );
    case "two writes":
      return file([cancel(orderId), { method: RFQS, params: {} }, read()], [own, { method: RFQS, params: {} }]);
    case "goes on":
      return file(
        [cancel("unknown", { continueOnFailure: true }), read()],
        [{ method: "private/cancel", params: { order_id: "unknown" } }],
      );
    case "key and limits": {
      const scope = { method: "private/change_scope_in_api_key", params: { id: key.id, max_scope: key.scope } };
      const limits = {
        method: "private/set_mmp_config",
        params: { index_name: "eth_usd", interval: 7, frozen_time: 3, max_quote_quantity: 9 },
      };
      return file([read(), scope, limits, read()], [scope, limits]);
    }
  }
}
