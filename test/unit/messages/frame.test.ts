import { unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { COMMANDS, FRAME_VERSION, FrameCodec, REPORTS } from "../../../dist/messages/index.js";

const BODY = Uint8Array.of(1, 0, 0, 0, 255, 255, 255, 255);

describe("frames", () => {
  it.each([0, 1, 63, 64, 127, 128, 255, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 48])(
    "come back as sent in slice %s",
    (slice) => {
      const codec = new FrameCodec();
      codec.decode(codec.encode(REPORTS, slice, BODY), REPORTS);
      expect([codec.slice, codec.length, ...codec.words.subarray(0, 2)]).toEqual([slice, 2, 1, -1]);
    },
  );

  it("come back with bodies of any length", () => {
    const codec = new FrameCodec();
    for (const words of [0, 1, 63, 64, 255, 256, 257, 20_000]) {
      const body = Int32Array.from({ length: words }, (_, i) => Math.imul(i, 0x9e3779b1));
      codec.decode(codec.encode(COMMANDS, 7, new Uint8Array(body.buffer)), COMMANDS);
      expect([...codec.words.subarray(0, codec.length)]).toEqual([...body]);
    }
  });

  it("are MessagePack that anybody can read", () => {
    const frame = new FrameCodec().encode(COMMANDS, 123_456, BODY);
    const [version, kind, slice, body] = unpack(frame) as [number, number, number, Uint8Array];
    expect([version, kind, slice, [...body]]).toEqual([FRAME_VERSION, COMMANDS, 123_456, [...BODY]]);
  });

  it("leave no word of a longer frame before", () => {
    const codec = new FrameCodec();
    codec.decode(codec.encode(REPORTS, 1, new Uint8Array(400).fill(9)), REPORTS);
    codec.decode(codec.encode(REPORTS, 2, BODY), REPORTS);
    expect([codec.slice, codec.length]).toEqual([2, 2]);
  });

  it("of another kind or version are refused", () => {
    const codec = new FrameCodec();
    const frame = Uint8Array.from(codec.encode(REPORTS, 3, BODY));
    expect(() => codec.decode(frame, COMMANDS)).toThrow();
    frame[1] = FRAME_VERSION + 1;
    expect(() => codec.decode(frame, REPORTS)).toThrow();
  });
});
