import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkAddress, httpServerOf, isHttpAddress, isLoopback, webSocketAddressOf } from "../../../src/rpc/address.ts";

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
      assert.deepEqual(check, {
        kind: "usable",
        url,
        origin,
        isLoopback: /127\.0\.0\.1|::1\]:|localhost/.test(address),
      });
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
    ["a scheme that ends like one of ours", "xws://localhost/ws"],
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
    ["a placeholder of a shell", "wss://$HOST/ws"],
    ["an encoded host", "wss://%77ww.deribit.com/ws"],
    ["an encoded null", "wss://www.deribit.com%00.evil.example/ws"],
    ["a half-width ideographic full stop", "wss://www｡deribit.com/ws"],
    ["a full-width full stop", "wss://www．deribit.com/ws"],
    ["an ideographic full stop in the place of the last dot", "wss://a。www.deribit.com/ws"],
    ["a full-width colon", "wss://www.deribit.com：443/ws"],
    ["a full-width at sign", "wss://www.deribit.com＠evil.example/ws"],
    ["a full-width slash", "wss://www.deribit.com／.evil.example/ws"],
    ["a division slash", "wss://www.deribit.com∕ws.evil.example/ws"],
    ["a letter for a mathematician", "wss://𝐰ww.deribit.com/ws"],
    ["a sharp s", "wss://strasße.example/ws"],
    ["a Kelvin sign", "wss://\u212Araken.example/ws"],
    ["a combining mark", "wss://www.de\u0301ribit.com/ws"],
    ["a direction mark", "wss://www.deribit.com\u202e/ws"],
    ["a mark of the order of bytes", "\ufeffwss://www.deribit.com/ws"],
    ["a carriage return", "wss://www.deribit.com\r/ws"],
    ["a vertical tab", "wss://www.deribit.com\u000b/ws"],
    ["a delete", "wss://www.deribit.com\u007f/ws"],
    ["a no-break space", "wss://www.deribit.com\u00a0/ws"],
    ["a semicolon", "wss://www.deribit.com;evil.example/ws"],
    ["a comma", "wss://www.deribit.com,evil.example/ws"],
    ["a star", "wss://*.deribit.com/ws"],
    ["a hyphen at the beginning", "wss://-www.deribit.com/ws"],
    ["one octal number", "wss://017700000001/ws"],
    ["one hexadecimal number", "wss://0x7f000001/ws"],
    ["a hexadecimal part at the end", "wss://127.0.0.0x1/ws"],
    ["a number too large", "wss://256.256.256.256/ws"],
    ["five numbers", "wss://1.2.3.4.5/ws"],
    ["an IPv6 in capitals with zeros", "wss://[2001:0DB8::0001]/ws"],
    ["an IPv6 with an IPv4 in it", "wss://[64:ff9b::1.2.3.4]/ws"],
    ["an IPv6 of the future", "wss://[v1.fe80::a]/ws"],
    ["a user before a loopback", "ws://127.0.0.1@evil.example/ws"],
    ["a loopback before a backslash", "ws://localhost\\@evil.example/ws"],
    ["three slashes", "wss:////www.deribit.com/ws"],
    ["backslashes for slashes", "wss:\\\\www.deribit.com\\ws"],
    ["a scheme in the address", "wss://wss://www.deribit.com/ws"],
    ["a sign before the port", "wss://www.deribit.com:+443/ws"],
    ["a space before the port", "wss://www.deribit.com: 443/ws"],
    ["digits of another script as the port", "wss://www.deribit.com:٤٤٣/ws"],
  ];
  for (const [name, address] of unusable) {
    test(`${name} is refused`, () => {
      const check = checkAddress(address);
      assert.ok(check.kind === "unusable", JSON.stringify(check));
      assert.ok(check.reason.length > 20 && !/[\p{Cc}\p{Cf}]/u.test(check.reason), check.reason);
    });
  }
});

describe("addresses of other servers that look like one's own", () => {
  const BOUND = "wss://www.deribit.com/ws/api/v2";
  const originOf = (address: string): string | undefined => {
    const check = checkAddress(address);
    return check.kind === "usable" ? check.origin : undefined;
  };

  const others = [
    "wss://www.deribit.com.evil.example/ws/api/v2",
    "wss://evil-www.deribit.com/ws/api/v2",
    "wss://www.deribit.co/ws/api/v2",
    "wss://www.deribit.comm/ws/api/v2",
    "wss://deribit.com/ws/api/v2",
    "wss://www-deribit.com/ws/api/v2",
    "wss://www.deribit.com-ws.example/api/v2",
    "wss://www.derlbit.com/ws/api/v2",
    "wss://www.xn--drbit-4of.com/ws/api/v2",
    "wss://www.deribit.com:444/ws/api/v2",
    "wss://www.deribit.com:8443/ws/api/v2",
    "https://www.deribit.com/api/v2",
    "wss://evil.example/www.deribit.com/ws/api/v2",
    "wss://evil.example/wss/www.deribit.com",
  ];
  for (const address of others) {
    test(`${address} is another one`, () => {
      assert.notEqual(originOf(address), undefined);
      assert.notEqual(originOf(address), originOf(BOUND));
    });
  }

  test("the host that is dialed is named where it is not the one that was entered", () =>
    assert.deepEqual(checkAddress("wss://2130706433/ws"), {
      kind: "unusable",
      reason: "The actual host differs from the one entered: 127.0.0.1",
    }));

  test("ways of writing the same one are the same one", () => {
    assert.equal(originOf(BOUND), "wss://www.deribit.com");
    for (const address of [
      "WSS://WWW.DERIBIT.COM/ws/api/v2",
      "wss://www.deribit.com:443/ws/api/v2",
      "wss://www.deribit.com",
      "wss://www.deribit.com/another/path",
    ])
      assert.equal(originOf(address), "wss://www.deribit.com");
  });

  const TRICKS = [
    "@",
    "%2e",
    "%40",
    "%00",
    "\t",
    "\u0000",
    "\n",
    ".",
    "。",
    "．",
    "｡",
    "\\",
    "/",
    "?",
    "#",
    ":",
    ":443",
    ":0",
    "[",
    "]",
    " ",
    "\u00ad",
    "\u200b",
    "\u202e",
    "е",
    "ｗ",
    "0x7f",
    "127.0.0.1",
    "localhost",
    "evil.example",
    "-",
    "_",
    "..",
    "//",
    "xn--",
    "K",
    "ſ",
    "ß",
    "user:password@",
    "A",
    "7",
  ];

  test("an address that is accepted leads where it says: no trick makes a text that reads as another server", () => {
    const tricks = fc.array(fc.tuple(fc.nat(BOUND.length), fc.constantFrom(...TRICKS), fc.nat(3)), {
      minLength: 1,
      maxLength: 4,
    });
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(BOUND, "ws://127.0.0.1:8080/ws", "wss://10.0.0.5/ws", "ws://[::1]/"),
        tricks,
        (address, changes) => {
          let tricky = address;
          for (const [at, trick, removed] of changes) tricky = tricky.slice(0, at) + trick + tricky.slice(at + removed);
          const check = checkAddress(tricky);
          if (check.kind === "unusable") return;
          accepted++;
          // Told from the text alone: what stands between the slashes is what is dialled, letter for letter.
          const [, scheme = "", authority = ""] = /^(\w+):\/\/([^/]*)/.exec(tricky.toLowerCase()) ?? [];
          const written = `${scheme}://${authority}`.replace(/^(wss|https)(:.*):443$|^(ws|http)(:.*):80$/, "$1$2$3$4");
          assert.match(written, /^(?:wss?|https?):\/\/[\x21-\x7e]+$/);
          assert.equal(check.origin, written);
          assert.equal(new URL(check.url).origin, written);
          assert.equal(new URL(check.url).username + new URL(check.url).password, "");
          if (/^(?:ws|http):/.test(written)) assert.ok(check.isLoopback);
          assert.deepEqual(checkAddress(check.url), check);
        },
      ),
      { numRuns: 3000 },
    );
    assert.ok(accepted > 100, String(accepted));
  });
});

test("where single requests go", () => {
  const servers = [
    "wss://www.deribit.com/ws/api/v2",
    "ws://127.0.0.1:8080/ws/api/v2",
    "https://gateway.example:8443/deribit/api/v2/",
    "https://host/",
  ].map((address) => Object.values(httpServerOf(address)).join(" "));
  assert.deepEqual(servers, [
    "https://www.deribit.com /api/v2",
    "http://127.0.0.1:8080 /api/v2",
    "https://gateway.example:8443 /deribit/api/v2",
    "https://host /api/v2",
  ]);
});

describe("what is said against an address", () => {
  const reasons: readonly (readonly [string, RegExp])[] = [
    ["wss://host/ws?token=abc", /end after the path/],
    ["wss://host/ws#top", /end after the path/],
    ["wss://[::1]x/ws", /letters a to z/],
    ["wss://user@host/", /user name or password/],
    ["wss:///ws", /has no host/],
    ["wss://host./ws", /must not end with a dot/],
    ["wss://.host/ws", /letters a to z/],
    ["wss://host/%41", /The path may contain only/],
    ["wss://host/a%41b", /The path may contain only/],
    ["wss://host/a/../b", /The path may contain only/],
    ["wss://host/a/./b", /The path may contain only/],
    ["wss://host/a/..", /The path may contain only/],
    ["wss://host/.", /The path may contain only/],
    ["wss://host/a?b", /without a query or a fragment/],
    ["wss://host:0/", /The port is not a number/],
    ["wss://host:1x/", /The port is not a number/],
    ["wss://host/a#b", /without a query or a fragment/],
    ["wss://host/a\\b", /without a query or a fragment/],
    ["wss://0x7f000001/", /The actual host differs from the one entered/],
    ["ws://host/", /Unencrypted connections/],
  ];
  for (const [address, reason] of reasons) {
    test(address, () => {
      const check = checkAddress(address);
      assert.match(check.kind === "unusable" ? check.reason : "usable", reason);
    });
  }

  test("a name may be a single letter", () => {
    assert.equal(checkAddress("wss://a/").kind, "usable");
    assert.equal(checkAddress("wss://a.b/").kind, "usable");
  });

  test("dots in names of a path are no steps", () => {
    assert.equal(checkAddress("wss://host/a..b/.c/d.").kind, "usable");
  });

  test("what leads to this computer, and what goes over HTTP", () => {
    assert.deepEqual(
      ["ws://127.0.0.1:1/", "wss://localhost/", "wss://host/", "nonsense", "ws://host/"].map(isLoopback),
      [true, true, false, false, false],
    );
    assert.deepEqual(
      ["https://host/", "http://localhost/", "HTTPS://host", "wss://host/", "wss://https:/"].map(isHttpAddress),
      [true, true, true, false, false],
    );
  });

  test("single requests go to the same host, whatever it is called", () => {
    assert.deepEqual(httpServerOf("wss://wss.example/ws"), { origin: "https://wss.example", basePath: "/api/v2" });
    assert.deepEqual(httpServerOf("https://ws.example/api/v2"), { origin: "https://ws.example", basePath: "/api/v2" });
    assert.deepEqual(httpServerOf("https://host/gate//"), { origin: "https://host", basePath: "/gate" });
  });

  test("the WebSocket of a server is at the same host", () => {
    assert.deepEqual(
      ["wss://http.example/ws", "https://http.example/gate/", "http://localhost:8765"].map(webSocketAddressOf),
      ["wss://http.example/ws", "wss://http.example/ws/gate", "ws://localhost:8765/ws/api/v2"],
    );
  });
});
