import { Packr, unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { COMMANDS, FRAME_VERSION, FrameCodec, FrameError, REPORTS } from "../../../dist/messages/index.js";

const packr = new Packr({ useRecords: false });
const frameOf = (...fields: unknown[]): Uint8Array => Uint8Array.from(packr.pack(fields));
const BODY = Uint8Array.of(1, 0, 0, 0, 255, 255, 255, 255);

describe("frames", () => {
  it("are MessagePack that anybody can read", () => {
    const frame = new FrameCodec().encode(COMMANDS, 123_456, BODY);
    const [version, kind, slice, body] = unpack(frame) as [number, number, number, Uint8Array];
    expect([version, kind, slice, [...body]]).toEqual([FRAME_VERSION, COMMANDS, 123_456, [...BODY]]);
  });

  it("may be enveloped by others, with the shortest numbers", () => {
    const codec = new FrameCodec();
    for (const slice of [0, 200, 70_000, 2 ** 40]) {
      codec.decode(frameOf(FRAME_VERSION, REPORTS, slice, BODY), REPORTS);
      expect([codec.slice, codec.length, ...codec.words.subarray(0, 2)]).toEqual([slice, 2, 1, -1]);
    }
  });

  it.each([
    ["another version", frameOf(FRAME_VERSION + 1, REPORTS, 3, BODY)],
    ["the version before", frameOf(FRAME_VERSION - 1, REPORTS, 3, BODY)],
    ["no version", frameOf(null, REPORTS, 3, BODY)],
    ["another kind", frameOf(FRAME_VERSION, COMMANDS, 3, BODY)],
    ["a slice below 0", frameOf(FRAME_VERSION, REPORTS, -1, BODY)],
    ["half a slice", frameOf(FRAME_VERSION, REPORTS, 0.5, BODY)],
    ["a slice that is no number", frameOf(FRAME_VERSION, REPORTS, NaN, BODY)],
    ["a slice beyond 2^48", frameOf(FRAME_VERSION, REPORTS, 2 ** 48 + 1, BODY)],
    ["a slice as 64-bit integer", frameOf(FRAME_VERSION, REPORTS, 2n ** 63n, BODY)],
    ["a slice in words", frameOf(FRAME_VERSION, REPORTS, "3", BODY)],
    ["a body of broken words", frameOf(FRAME_VERSION, REPORTS, 3, BODY.subarray(0, 7))],
    ["a body that is a list", frameOf(FRAME_VERSION, REPORTS, 3, [...BODY])],
    ["no body", frameOf(FRAME_VERSION, REPORTS, 3)],
    ["too many fields", frameOf(FRAME_VERSION, REPORTS, 3, BODY, 0)],
    ["no array", Uint8Array.from(packr.pack({ version: 1 }))],
    ["a number", Uint8Array.of(1)],
    ["nothing", new Uint8Array(0)],
    ["a body cut short", frameOf(FRAME_VERSION, REPORTS, 3, BODY).slice(0, -1)],
    ["something after the frame", Uint8Array.of(...frameOf(FRAME_VERSION, REPORTS, 3, BODY), 1)],
    ["an array of four billion", Uint8Array.of(0xdd, 255, 255, 255, 255)],
    ["a body of four billion bytes", Uint8Array.of(0x94, FRAME_VERSION, REPORTS, 3, 0xc6, 255, 255, 255, 255)],
    ["nesting without end", new Uint8Array(100_000).fill(0x91)],
  ])("with %s are refused", (_, frame) => {
    const codec = new FrameCodec();
    expect(() => codec.decode(frame, REPORTS)).toThrow(FrameError);
  });

  it.each([0, 1, 2])("with an object that has no text where field %s should be are refused", (field) => {
    const fields: unknown[] = [FRAME_VERSION, REPORTS, 3, BODY];
    fields[field] = { toString: 1, valueOf: 1 };
    expect(() => new FrameCodec().decode(frameOf(...fields), REPORTS)).toThrow(FrameError);
  });

  it("that are refused do not spoil the frames after them", () => {
    const codec = new FrameCodec();
    // A record definition for id 0x40: a reader that kept it would take slice 64 for a record.
    const definition = Uint8Array.of(0x94, FRAME_VERSION, REPORTS, 0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 5, 0xc4, 0);
    expect(() => codec.decode(definition, REPORTS)).toThrow(FrameError);
    for (const slice of [64, 65, 127]) {
      codec.decode(codec.encode(REPORTS, slice, BODY), REPORTS);
      expect([codec.slice, codec.length]).toEqual([slice, 2]);
    }
  });
});
