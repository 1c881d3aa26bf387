/* Names of faults, and texts that a server should not send. */

export type FaultName =
  | "lost"
  | "skipped and lost"
  | "reset"
  | "skipped and reset"
  | "closed after"
  | "held"
  | "overtaken"
  | "late"
  | "late and reset"
  | "late error"
  | "error after all"
  | "error, skipped"
  | "refused"
  | "not signed in"
  | "too many requests"
  | "truncated"
  | "wrong type"
  | "member missing"
  | "odd state"
  | "other order"
  | "wrong id"
  | "no id"
  | "text id"
  | "twice"
  | "other text"
  | "second factor"
  | "other object"
  | "other value"
  | "skipped"
  | "short life"
  | "other account"
  | "bad credentials"
  | "not supported"
  | "any call lost"
  | "any call held"
  | "any call reset";

export type GarbageName = keyof typeof GARBAGE | "event again";

/** Texts that a server should not send, and some that it may. */
export const GARBAGE = {
  empty: "",
  null: "null",
  list: "[]",
  "half a frame": '{"jsonrpc":"2.0","id":',
  "no result": '{"jsonrpc":"2.0","id":3}',
  "unknown id": '{"jsonrpc":"2.0","id":987654321,"result":"ok"}',
  "error without id": '{"jsonrpc":"2.0","error":{"code":11044,"message":"not_open_order"}}',
  maintenance: '{"jsonrpc":"2.0","error":{"code":11051,"message":"system_maintenance"}}',
  "name twice": '{"jsonrpc":"2.0","id":4,"id":4,"result":{}}',
  prototype:
    '{"jsonrpc":"2.0","method":"subscription","params":{"__proto__":{"channel":"x"},"channel":"user.orders.any.any.raw","data":[]}}',
  "unknown method": '{"jsonrpc":"2.0","method":"announcement","params":{"text":"[x](command:y)"}}',
  "other channel": '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.any.any.raw","data":[]}}',
  "odd order event":
    '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{"order_id":7}}}',
  "test request": '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}',
  heartbeat: '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}',
} as const;
