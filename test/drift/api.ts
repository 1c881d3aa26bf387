import { isOfferedAt, methodFacts, type Service } from "../../src/catalogue/index.ts";
import { ERROR_ROWS } from "../../src/catalogue/errorTable.ts";
import { channelTable, methodTable, type ParamEntry } from "../../src/catalogue/reference/methodTable.ts";
import type { SchemaNode } from "./schemas.ts";

/** A parameter of a method. */
export interface ApiParam {
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

/** What a document says of an API, or what the catalogue knows of one; undefined for what it does not list. */
export interface Api {
  readonly methods?: ReadonlyMap<string, readonly ApiParam[]>;
  readonly channels?: readonly string[];
  readonly errors?: readonly number[];
  /** Whether `errors` are all that there are, and not only those of examples. */
  readonly hasAllErrors?: boolean;
}

export type KnownApi = Required<Omit<Api, "hasAllErrors">>;

/** Returns what the catalogue knows of a kind of server. */
export function catalogueApi(service: Service): KnownApi {
  const entries = methodTable().filter(({ offeredBy }) => offeredBy.includes(service));
  return {
    methods: new Map(
      entries.map(({ name, params, gateway }) => {
        const added = service === "gateway" ? (gateway?.params ?? []) : [];
        const missing = service === "gateway" ? (gateway?.missingParams ?? []) : [];
        return [name, [...params, ...added].filter((each) => !missing.includes(each.name)).map(apiParam)];
      }),
    ),
    channels: channelTable()
      .filter(({ offeredBy }) => offeredBy.includes(service))
      .map(({ pattern }) => pattern),
    errors: [...new Set(ERROR_ROWS.map(({ code }) => code))],
  };
}

function apiParam({ name, required, type, ...rest }: ParamEntry): ApiParam {
  return { name, required, schema: { ...rest, type: type === "" ? undefined : type.split("|") } };
}

/** Returns whether another kind of server is known to have a method, for a difference. */
export function isOfOther(method: string, service: Service): boolean {
  return methodFacts(method) !== undefined && !isOfferedAt(method, service);
}
