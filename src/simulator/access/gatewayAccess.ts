import { createPrivateKey, createPublicKey, verify, type KeyObject } from "node:crypto";
import type { Clock, Random } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { isObject, parseJson } from "../../base/json.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import { SIMULATOR_KEY_START } from "../../rpc/gateway.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { createSeededRandom, namedSeed } from "../text/seededRandom.ts";
import type { ApiKeys } from "./apiKeys.ts";
import type { Authorisation, TokenPlace, Tokens } from "./tokens.ts";

/*
 * The sign-in of the partner's gateway: a JWT for each, signed with the private key of a key file. Where no
 * source says what the gateway does, each of the possible behaviors can be chosen.
 */

/** How the played gateway behaves. Everything can be changed while it runs. */
export interface GatewayBehaviour {
  /** The life of a sign-in of a socket, and of a token over HTTP, in seconds. */
  socketLifeS: number;
  httpLifeS: number;
  /** Whether the response says how long a sign-in lasts. */
  saysLife: boolean;
  /** Whether a socket's response has an access token, as one documented sample has. */
  givesSocketToken: boolean;
  /** Whether a socket whose sign-in has ended is closed. Otherwise private calls on it are refused with 13009. */
  closesExpired: boolean;
  /** Whether a JWT is taken once only. */
  takesJwtOnce: boolean;
  /** How far the times of a JWT may be from the server's clock, in seconds. */
  toleranceS: number;
  /** Whether public/hello is there on the socket for market channels. */
  helloOnStreams: boolean;
  /** The scope words of a sign-in. */
  scope: string;
}

/** The behavior that the documents describe, and where they are silent, the stricter one. */
export const USUAL_GATEWAY: GatewayBehaviour = {
  socketLifeS: 3000,
  httpLifeS: 900,
  saysLife: true,
  givesSocketToken: false,
  closesExpired: false,
  takesJwtOnce: true,
  toleranceS: 60,
  helloOnStreams: false,
  scope: "wallet:user:read wallet:accounts:read wallet:transactions:read wallet:buys:create",
};

/** The key that a played gateway hands out. */
export interface GatewayKey {
  readonly name: string;
  /** The private key as PEM. */
  readonly privateKey: string;
  readonly publicKey: KeyObject;
}

/** Returns the key that follows from a seed: Ed25519, which the gateway recommends. */
export function seededGatewayKey(seed: number): GatewayKey {
  const random = createSeededRandom(namedSeed(seed, "gateway key"));
  const bytes = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)));
  const key = createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, bytes]), format: "der", type: "pkcs8" });
  return gatewayKey(`${SIMULATOR_KEY_START}${seed}`, key.export({ type: "pkcs8", format: "pem" }).toString());
}

/** Returns a key with another private key: EC P-256 or Ed25519 as PEM. */
export function gatewayKey(name: string, privateKey: string): GatewayKey {
  return { name, privateKey, publicKey: createPublicKey(privateKey) };
}

/** The bytes before the seed of an Ed25519 key in PKCS#8: RFC 8410 §7. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The longest life of a JWT, in seconds. */
const LONGEST_JWT_S = 120;

/** A connection that is signed in: a socket itself, or a single request. */
interface SigningConnection extends TokenPlace {
  readonly outlet: { readonly close: () => void };
  authorisation: Authorisation | undefined;
}

export interface GatewayAccess extends Disposable {
  readonly behaviour: GatewayBehaviour;
  /** Signs a caller in and returns the response. Refuses with 13004 for a wrong JWT, -32602 for another grant. */
  signIn(params: ParamsOf<"public/auth">, connection: SigningConnection): string;
}

interface GatewayPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: Tokens;
  readonly apiKeys: ApiKeys;
  readonly key: GatewayKey;
  readonly behaviour: GatewayBehaviour;
}

export function createGatewayAccess(ports: GatewayPorts): GatewayAccess {
  const { clock, tokens, apiKeys, key, behaviour } = ports;
  const usedNonces = new Set<string>();
  const timers = new DisposableList();
  return {
    behaviour,
    signIn({ grant_type: grant, token }, connection) {
      if (grant !== "coinbase_cdp") throw invalidParam("grant_type", "invalid grant_type");
      if (token === undefined) throw invalidParam("token", "value required");
      const nonce = checkJwt(token, { key, nowS: clock.now() / 1000, behaviour });
      const own = apiKeys.byClientId(key.name);
      if (own === undefined || nonce === undefined || (behaviour.takesJwtOnce && usedNonces.has(nonce)))
        throw refusal(13004);
      usedNonces.add(nonce);
      const isSocket = connection.link === "webSocket";
      const lifeS = isSocket ? behaviour.socketLifeS : behaviour.httpLifeS;
      // The exchange itself grants a second less than was asked for.
      const authorisation = tokens.issue(own, `expires:${lifeS + 1}`, connection);
      if (isSocket) {
        connection.authorisation = authorisation;
        if (behaviour.closesExpired)
          timers.add(
            clock.after(lifeS * 1000, () => {
              if (connection.authorisation === authorisation) connection.outlet.close();
            }),
          );
      }
      return writeJson({
        access_token: !isSocket || behaviour.givesSocketToken ? authorisation.accessToken : undefined,
        expires_in: behaviour.saysLife ? lifeS : undefined,
        scope: behaviour.scope,
        sid: isSocket ? `s${connection.number}` : undefined,
        token_type: "bearer",
      });
    },
    dispose: () => timers.dispose(),
  };
}

interface JwtCheck {
  readonly key: GatewayKey;
  readonly nowS: number;
  readonly behaviour: GatewayBehaviour;
}

/** Returns the nonce of a JWT; undefined where it is not one of this key, or not of now. */
function checkJwt(jwt: string, check: JwtCheck): string | undefined {
  const [head = "", claims = "", signature = "", ...others] = jwt.split(".");
  const { nonce } = membersOf(head);
  const isRight =
    others.length === 0 &&
    isNamed(membersOf(head), membersOf(claims), check.key) &&
    isTimely(membersOf(claims), check) &&
    isSigned(`${head}.${claims}`, Buffer.from(signature, "base64url"), check.key);
  return isRight && typeof nonce === "string" && /^[\da-f]{16,}$/.test(nonce) ? nonce : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function isNamed({ alg, typ, kid }: Members, { sub, iss }: Members, { name, publicKey }: GatewayKey): boolean {
  const wanted = publicKey.asymmetricKeyType === "ed25519" ? "EdDSA" : "ES256";
  return alg === wanted && typ === "JWT" && kid === name && sub === name && iss === "cdp";
}

function isTimely({ nbf, exp }: Members, { nowS, behaviour: { toleranceS } }: JwtCheck): boolean {
  if (typeof nbf !== "number" || typeof exp !== "number" || exp - nbf > LONGEST_JWT_S) return false;
  return nbf <= nowS + toleranceS && exp >= nowS - toleranceS;
}

function isSigned(text: string, signature: Buffer, { publicKey }: GatewayKey): boolean {
  return publicKey.asymmetricKeyType === "ed25519"
    ? verify(null, Buffer.from(text), publicKey, signature)
    : verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding: "ieee-p1363" }, signature);
}

function membersOf(part: string): Members {
  const value = parseJson(Buffer.from(part, "base64url").toString("utf8"));
  return isObject(value) ? value : {};
}
