import * as z from "zod";
import { apiKey, keyFeatures, scopeEntries, securityKeyChallenge } from "../accountEntities.ts";
import { flag, secret, text, textList } from "../fields.ts";
import { changes, methodsOf, reads } from "../method.ts";

const { method } = methodsOf("Account Management");

const id = z.int().meta({ description: "Identifier of the key." });

/**
 * The parameters of the repeated call, after the user has confirmed. https://docs.deribit.com/articles/security-keys
 */
const confirmation = {
  authorization_data: secret("The 2FA code.").optional(),
  challenge: text("Challenge from the response that asked for the 2FA code."),
};

const maxScope = scopeEntries
  .meta({
    description:
      "Maximum scope for access tokens created with this key, for example account:read trade:read_write. If omitted, the key loses all scopes.",
  })
  .optional();

const keyName = z
  .string()
  .max(16)
  .regex(/^[A-Za-z0-9_]*$/)
  .meta({ patternName: "keyName", description: "Letters, digits, and underscores, up to 16 characters." })
  .optional();

/** The key, or the confirmation that the user has to give first. */
const changedKey = z.union([apiKey, securityKeyChallenge]);

const scopeStated = { kind: "stated", param: "max_scope" } as const;

export const apiKeyMethods = [
  method("private/create_api_key", changes("account", "key"), {
    mayAskSecondFactor: true,
    summary: "Creates an API key. Its client secret is returned only once.",
    params: z.strictObject({
      max_scope: maxScope,
      name: keyName,
      public_key: text(
        "Public key in PEM format (Ed25519 or RSA). With it, the key signs in with the private key and has no client secret.",
      ),
      enabled_features: keyFeatures.meta({ description: "Advanced features of the key." }).optional(),
      ...confirmation,
    }),
    rules: [scopeStated],
    result: changedKey,
  }),
  method("private/reset_api_key", changes("account", "key"), {
    summary:
      "Replaces the client secret of an API key. The new one is returned only once, and the old one stops working.",
    params: z.strictObject({ id, ...confirmation }),
    result: changedKey,
  }),
  method("private/remove_api_key", changes("account", "key"), {
    summary: "Removes an API key from the account.",
    params: z.strictObject({ id, ...confirmation }),
    result: z.union([z.string(), securityKeyChallenge]),
  }),
  method("private/edit_api_key", changes("account", "key"), {
    mayAskSecondFactor: true,
    summary:
      "Changes the name, scope, features, and IP addresses of an API key. Scopes not listed in max_scope are removed.",
    params: z.strictObject({
      id,
      max_scope: maxScope,
      name: keyName,
      enabled: flag("Whether the key can be used."),
      enabled_features: keyFeatures.meta({ description: "Advanced features of the key." }).optional(),
      ip_whitelist: textList("IP addresses and subnets the key can be used from."),
      ...confirmation,
    }),
    rules: [scopeStated],
    result: changedKey,
    isContract: true,
  }),
  method("private/change_scope_in_api_key", changes("account", "key"), {
    mayAskSecondFactor: true,
    summary: "Changes the maximum scope of an API key.",
    params: z.strictObject({ id, max_scope: maxScope, ...confirmation }),
    rules: [scopeStated],
    result: changedKey,
    isContract: true,
  }),
  method("private/list_api_keys", reads("account"), {
    mayAskSecondFactor: true,
    summary: "Lists the API keys of the account.",
    params: z.strictObject(confirmation),
    result: z.union([z.array(apiKey), securityKeyChallenge]),
    rows: { apiKey },
  }),
  method("private/enable_api_key", changes("account", "key"), {
    summary: "Enables an API key.",
    params: z.strictObject({ id, ...confirmation }),
    result: changedKey,
  }),
  method("private/disable_api_key", changes("account", "key"), {
    mayAskSecondFactor: true,
    summary: "Disables an API key.",
    params: z.strictObject({ id, ...confirmation }),
    result: changedKey,
  }),
] as const;
