import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkAddress, httpServerOf } from "../../../src/rpc/address.ts";

describe("addresses", () => {
  const usable: readonly [string, string, string][] = [
    ["wss://www.deribit.com/ws/api/v2", "wss://www.deribit.com/ws/api/v2", "wss://www.deribit.com"],
    ["wss://test.deribit.com/ws/api/v2", "wss://test.deribit.com/ws/api/v2", "wss://test.deribit.com"],
    ["WSS://Drb.Coinbase.COM:443/ws/api/v2", "wss://drb.coinbase.com/ws/api/v2", "wss://drb.coinbase.com"],
    ["wss://host:8443", "wss://host:8443/", "wss://host:8443"],
    ["wss://10.0.0.5/ws", "wss://10.0.0.5/ws", "wss://10.0.0.5"],
    ["wss://xn--e1afmkfd.example/ws", "wss://xn--e1afmkfd.example/ws", "wss://xn--e1afmkfd.example"],
    ["wss://[2001:db8::1]/ws", "wss://[2001:db8::1]/ws", "wss://[2001:db8::1]"],
    ["ws://127.0.0.1:8080/ws/api/v2", "ws://127.0.0.1:8080/ws/api/v2", "ws://127.0.0.1:8080"],
    ["ws://[::1]:8080/", "ws://[::1]:8080/", "ws://[::1]:8080"],
    ["ws://localhost/", "ws://localhost/", "ws://localhost"],
    ["https://www.deribit.com/api/v2", "https://www.deribit.com/api/v2", "https://www.deribit.com"],
    ["http://127.0.0.1:8080/api/v2", "http://127.0.0.1:8080/api/v2", "http://127.0.0.1:8080"],
  ];
  for (const [address, url, origin] of usable) {
    test(address, () => {
      const check = checkAddress(address);
      assert.deepEqual(check, { kind: "usable", url, origin, isLoopback: /127\.0\.0\.1|::1\]:|localhost/.test(address) });
      // Said twice it is the same.
      assert.deepEqual(checkAddress(url), check);
    });
  }

  const unusable: readonly [string, string][] = [
    ["http", "http://www.deribit.com/"],
    ["no scheme", "www.deribit.com/ws/api/v2"],
    ["a scheme alone", "wss://"],
    ["one slash", "wss:/www.deribit.com/"],
    ["empty", ""],
    ["other scheme", "ftp://www.deribit.com/"],
    ["script", "javascript:alert(1)"],
    ["file", "file:///etc/passwd"],
    ["unix socket", "ws+unix:///tmp/socket"],
    ["no host", "wss:///ws/api/v2"],
    ["a port alone", "wss://:443/ws"],
    ["a user", "wss://www.deribit.com@evil.example/ws"],
    ["a user and password", "wss://user:password@www.deribit.com/ws"],
    ["an empty user", "wss://@www.deribit.com/ws"],
    ["an encoded user", "wss://www.deribit.com%40evil.example/ws"],
    ["a backslash", "wss://www.deribit.com\\@evil.example/ws"],
    ["a backslash after the host", "wss://evil.example\\.deribit.com/"],
    ["a query", "wss://www.deribit.com/ws?x=1"],
    ["an empty query", "wss://www.deribit.com/ws?"],
    ["a fragment", "wss://www.deribit.com/ws#a"],
    ["an empty fragment", "wss://www.deribit.com/ws#"],
    ["a query without path", "wss://www.deribit.com?x"],
    ["a trailing dot", "wss://www.deribit.com./ws"],
    ["two dots", "wss://www..deribit.com/ws"],
    ["a leading dot", "wss://.deribit.com/ws"],
    ["an encoded dot", "wss://www%2ederibit.com/ws"],
    ["a tab", "wss://www.deri\tbit.com/ws"],
    ["a line break", "wss://www.deribit.com\n.evil.example/ws"],
    ["a null", "wss://www.deribit.com\u0000.evil.example/ws"],
    ["a space before", " wss://www.deribit.com/ws"],
    ["a space after", "wss://www.deribit.com/ws "],
    ["a space inside", "wss://www.deri bit.com/ws"],
    ["an ideographic full stop", "wss://www。deribit.com/ws"],
    ["full-width letters", "wss://ｗｗｗ.deribit.com/ws"],
    ["a Cyrillic letter", "wss://www.dеribit.com/ws"],
    ["a soft hyphen", "wss://www.deri\u00adbit.com/ws"],
    ["a zero-width space", "wss://www.deri\u200bbit.com/ws"],
    ["an underscore", "wss://www_deribit.com/ws"],
    ["a hyphen at the end", "wss://www.deribit-.com/ws"],
    ["one number", "wss://2130706433/ws"],
    ["octal", "wss://0177.0.0.1/ws"],
    ["hexadecimal", "wss://0x7f.0.0.1/ws"],
    ["a short address", "wss://127.1/ws"],
    ["a full-width digit", "wss://１27.0.0.1/ws"],
    ["a long IPv6", "wss://[0:0:0:0:0:0:0:1]/ws"],
    ["a mapped IPv6", "ws://[::ffff:127.0.0.1]/ws"],
    ["an IPv6 without brackets", "ws://::1/ws"],
    ["an IPv6 zone", "ws://[fe80::1%25lo]/ws"],
    ["an open bracket", "ws://[::1/ws"],
    ["plain ws to a host", "ws://www.deribit.com/ws/api/v2"],
    ["plain ws to another loopback", "ws://127.0.0.2/"],
    ["plain ws to all", "ws://0.0.0.0/"],
    ["plain ws to a name that begins like loopback", "ws://localhost.evil.example/"],
    ["plain ws to a name that ends like loopback", "ws://evil-localhost/"],
    ["plain ws to an address as a name", "ws://127.0.0.1.evil.example/"],
    ["port 0", "wss://www.deribit.com:0/ws"],
    ["a port too large", "wss://www.deribit.com:65536/ws"],
    ["a port with a zero", "wss://www.deribit.com:0443/ws"],
    ["an empty port", "wss://www.deribit.com:/ws"],
    ["a port that is none", "wss://www.deribit.com:https/ws"],
    ["two ports", "wss://www.deribit.com:443:443/ws"],
    ["a way up", "wss://www.deribit.com/ws/../api"],
    ["an encoded way up", "wss://www.deribit.com/ws/%2e%2e/api"],
    ["a placeholder", "wss://${env:HOST}/ws"],
    ["another placeholder", "wss://{{host}}/ws"],
    ["a placeholder in the path", "wss://www.deribit.com/{{path}}"],
  ];
  for (const [name, address] of unusable) {
    test(`${name} is refused`, () => {
      const check = checkAddress(address);
      assert.ok(check.kind === "unusable", JSON.stringify(check));
      assert.ok(check.reason.length > 20 && !/[\p{Cc}\p{Cf}]/u.test(check.reason), check.reason);
    });
  }
});

test("where single requests go", () => {
  const servers = ["wss://www.deribit.com/ws/api/v2", "ws://127.0.0.1:8080/ws/api/v2", "https://gateway.example:8443/deribit/api/v2/", "https://host/"].map((address) => Object.values(httpServerOf(address)).join(" "));
  assert.deepEqual(servers, ["https://www.deribit.com /api/v2", "http://127.0.0.1:8080 /api/v2", "https://gateway.example:8443 /deribit/api/v2", "https://host /api/v2"]);
});
