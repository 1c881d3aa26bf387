import { frameOf, type ReceivedRequest, type Reply } from "../../scriptedServer.ts";

/** What a fate is made with. */
export interface FatePorts {
  readonly request: ReceivedRequest;
  /** Carries the change out and returns its documented reply. */
  readonly make: () => Reply;
  /** Runs something after a time in ms. */
  readonly after: (ms: number, run: () => void) => void;
  /** From now on no read is answered. */
  readonly silenceReads: () => void;
  /** From now on reads, or those of a method, are refused with a code; undefined ends that. */
  readonly refuseReads: (code: number | undefined, method?: string) => void;
  /** The order of the tests gets another state, which the exchange also reports to whoever follows it. */
  readonly become: (state: string, cause?: string) => void;
  /** The exchange no longer knows the order. */
  readonly forget: () => void;
  /** Returns the order as JSON. */
  readonly orderText: () => string;
  /** Sends a reply now, unless the link has ended. */
  readonly respond: (reply: Reply) => void;
  /** Sends a reply over the link that took the place of that of the request. */
  readonly respondOverNewLink: (reply: Reply) => void;
}

/** What happens to a change on its way to the server, there, and on the way back. */
export interface Fate {
  readonly name: string;
  readonly reply: (ports: FatePorts) => Reply;
}

/** The time for which a late reply is under way: longer than any call waits for one. */
export const LATE_MS = 20_000;
/** When reads end that have shown no effect yet. */
const UNREAD_MS = 30_000;
/** When a change is made that the server took long over, after it was sent. */
const SLOW_MS = 40_000;

/** Returns an error as the reply. */
export function refusal(code: number, message: string): Reply {
  return { error: { code, message } };
}

/** Carries the change out, whatever is replied. */
function made({ make }: FatePorts, reply: Reply): Reply {
  make();
  return reply;
}

/** Every fate of a change. "Made" and "not made" say what is so at the server. */
export const FATES: readonly Fate[] = [
  { name: "confirmed", reply: ({ make }) => make() },
  { name: "confirmed twice", reply: ({ make }) => ({ twice: make() }) },
  { name: "error -32602 Invalid params, not made", reply: () => refusal(-32602, "Invalid params") },
  { name: "error 10004 order_not_found, not made", reply: () => refusal(10004, "order_not_found") },
  { name: "error 13020 not_found, not made", reply: () => refusal(13020, "not_found") },
  { name: "error 10028 too_many_requests, not made", reply: () => refusal(10028, "too_many_requests") },
  { name: "error -32603 Internal error, made", reply: (ports) => made(ports, refusal(-32603, "Internal error")) },
  { name: "error -32603 Internal error, not made", reply: () => refusal(-32603, "Internal error") },
  { name: "error 99999 that no table has, not made", reply: () => refusal(99_999, "unheard_of") },
  { name: "reply lost, made", reply: (ports) => made(ports, "silence") },
  { name: "reply lost, not made", reply: () => "silence" },
  {
    name: "reply lost, made late",
    reply: ({ make, after }) => {
      after(SLOW_MS, make);
      return "silence";
    },
  },
  { name: "late reply, made", reply: ({ make }) => ({ late: make(), afterMs: LATE_MS }) },
  {
    name: "late refusal, not made",
    reply: () => ({ late: refusal(-32602, "Invalid params"), afterMs: LATE_MS }),
  },
  {
    name: "reply lost, made, no read answered",
    reply: (ports) => {
      ports.silenceReads();
      return made(ports, "silence");
    },
  },
  {
    name: "reply lost, made late, no read answered from then on",
    reply: ({ make, after, silenceReads }) => {
      after(UNREAD_MS, () => {
        make();
        silenceReads();
      });
      return "silence";
    },
  },
  { name: "link cut, made", reply: (ports) => made(ports, "close") },
  { name: "link cut, not made", reply: () => "close" },
  {
    name: "token expired, not made",
    reply: ({ request: { connection } }) => {
      connection.tokens.clear();
      return refusal(13_009, "unauthorized");
    },
  },
  { name: "reply is not JSON, made", reply: (ports) => made(ports, { frame: '{"jsonrpc":"2.0","id":' }) },
  { name: "reply is not JSON, not made", reply: () => ({ frame: '{"jsonrpc":"2.0","id":' }) },
  { name: "reply of another form, made", reply: (ports) => made(ports, { result: { odd: true } }) },
  { name: "reply of another form, not made", reply: () => ({ result: { odd: true } }) },
  {
    name: "reply with the ID of another request, made",
    reply: ({ make }) => ({ frame: frameOf(999_999, make()) ?? "" }),
  },
];
