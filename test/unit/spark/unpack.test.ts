import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gzipUnpacker, zstdUnpacker } from "../../../src/io/spark/unpack.js";
import { LIMITS } from "../../../src/core/scenario/limits.js";
import { zstdOf, zstdWithFarReference } from "../../support/spark-log.js";

const TEXT = Buffer.from(
  `${"a log of few words, a log of few words, and words of a log\n".repeat(10)}${Array.from({ length: 120 }, (_, at) => `${at + 1}\n`).join("")}`,
);

/** TEXT, as the program zstd 1.5.4 packs it, with a checksum. */
const FRAME = Buffer.from(
  "KLUv/WTCAm0HAGYWLxaQGRRzmJPvgtV2d9Du7u5eTZiMG6MCLwAmACYAcskkjyxy5ZCzY79uvTr16dLbo+f4bdf0LHeBgwFAQSABYWFYGCAYCBCGAgSDISB11VRPLXXrqJNG+mijiyZ6aKFLB50zzjfbXDPNM8vcOeaUUT7ZAnjhhA8uePHA88b7brvrpntuuXvHnTbaZ5tdNtlji1077KyxvtoCh/Rsb8/oGP2iW/SKTtEnukRv9Mgxv9zyyimfXPLmkSeO+OEWEABCGxC0AUAb8LMBPhvQswF4NsZ19h6PiGXNuVdq3KRBqT+iOp5aQCgMu28yAaM1zZc=",
  "base64",
);

type Codec = "gzip" | "zstd of Node, where it has one" | "zstd of the library";

/** What comes of packed bytes that are given in pieces. @param digest in place of the bytes. */
async function unpacked(
  codec: Codec,
  packed: Buffer,
  pieceBytes = packed.length,
  windowBytes = LIMITS.zstdWindowBytes.usual,
) {
  const hash = createHash("sha256");
  const pieces: Buffer[] = [];
  let bytes = 0;
  const take = (piece: Uint8Array): void => {
    hash.update(piece);
    bytes += piece.length;
    if (bytes < 1 << 20) pieces.push(Buffer.from(piece));
  };
  const unpacker =
    codec === "gzip" ? gzipUnpacker(take) : await zstdUnpacker(take, windowBytes, codec !== "zstd of the library");
  for (let at = 0; at < packed.length; at += pieceBytes) {
    if (!(await unpacker.take(packed.subarray(at, at + pieceBytes)))) break;
  }
  return { problem: await unpacker.end(), bytes, digest: hash.digest("hex"), content: Buffer.concat(pieces) };
}

const CODECS: readonly (readonly [Codec, Buffer])[] = [
  ["gzip", gzipSync(TEXT)],
  ["zstd of Node, where it has one", FRAME],
  ["zstd of the library", FRAME],
];

describe.each(CODECS)("%s", (codec, packed) => {
  it.each([1, 7, 1 << 14])("comes out as it went in, in pieces of %i bytes, in one frame or several", async (piece) => {
    const one = await unpacked(codec, packed, piece);
    expect([one.problem, one.content.equals(TEXT)]).toEqual([null, true]);
    const several = await unpacked(codec, Buffer.concat([packed, packed, packed]), piece);
    expect([several.problem, several.content.equals(Buffer.concat([TEXT, TEXT, TEXT]))]).toEqual([null, true]);
  });

  it("is cut wherever it ends early, and what comes before is handed on", async () => {
    for (let end = 1; end < packed.length; end += 13) {
      const { problem, content } = await unpacked(codec, packed.subarray(0, end));
      expect([end, problem, TEXT.subarray(0, content.length).equals(content)]).toEqual([end, "cut", true]);
    }
  });

  it("never gives other bytes without saying so", async () => {
    for (let at = 0; at < packed.length; at += 5) {
      const damaged = Buffer.from(packed);
      damaged[at] ^= 1 << (at % 8);
      const { problem, content } = await unpacked(codec, damaged);
      if (problem === null) expect([at, content.equals(TEXT)]).toEqual([at, true]);
    }
    const wrong = Buffer.from(packed);
    wrong[codec === "gzip" ? packed.length - 5 : packed.length - 1] ^= 1;
    expect((await unpacked(codec, wrong)).problem).toBe("checksum");
  });
});

describe.each(["zstd of Node, where it has one", "zstd of the library"] as const)("%s", (codec) => {
  it("refers back over all of its window", async () => {
    const text = Buffer.from(Array.from({ length: 3000 }, (_, at) => 33 + ((at * 7919) % 90)));
    const spaces = 100 * 2 ** 20;
    const { problem, digest } = await unpacked(codec, zstdWithFarReference(text, spaces), 1 << 14);
    const whole = Buffer.concat([text, Buffer.alloc(spaces, " "), text]);
    expect([problem, digest]).toEqual([null, createHash("sha256").update(whole).digest("hex")]);
  });

  it("takes a larger window where that is allowed, and no other", async () => {
    const packed = zstdOf(TEXT, 28);
    expect((await unpacked(codec, packed)).problem).toBe("window");
    const allowed = await unpacked(codec, packed, packed.length, 2 ** 28);
    expect([allowed.problem, allowed.content.equals(TEXT)]).toEqual([null, true]);
  });

  it("passes over frames that are to be skipped", async () => {
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const { problem, content } = await unpacked(codec, Buffer.concat([skipped, FRAME, skipped]), 5);
    expect([problem, content.equals(TEXT)]).toEqual([null, true]);
  });
});
