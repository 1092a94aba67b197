import { unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { COMMANDS, FRAME_VERSION, FrameCodec, REPORTS } from "../../../dist/messages/index.js";

const BODY = Uint8Array.of(1, 0, 0, 0, 255, 255, 255, 255);

describe("frames", () => {
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
