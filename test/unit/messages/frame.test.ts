import { Packr, unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { COMMANDS, FRAME_VERSION, FrameCodec, FrameError, REPORTS } from "../../../dist/messages/index.js";

const packr = new Packr({ useRecords: false });
const frameOf = (...fields: unknown[]): Uint8Array => Uint8Array.from(packr.pack(fields));
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

  it("may be enveloped by others, with the shortest numbers", () => {
    const codec = new FrameCodec();
    for (const slice of [0, 200, 70_000, 2 ** 40]) {
      codec.decode(frameOf(FRAME_VERSION, REPORTS, slice, BODY), REPORTS);
      expect([codec.slice, codec.length, ...codec.words.subarray(0, 2)]).toEqual([slice, 2, 1, -1]);
    }
  });

  it("of ours are refused, too, where one byte of the envelope is wrong", () => {
    const codec = new FrameCodec();
    const frame = Uint8Array.from(codec.encode(REPORTS, 3, BODY));
    for (let at = 0; at < frame.length - BODY.length; at++) {
      for (const wrong of [0, 0x7f, 0xff]) {
        if (frame[at] === wrong) continue;
        const found = Uint8Array.from(frame);
        found[at] = wrong;
        // Another slice is a slice, if it is a whole number.
        try {
          codec.decode(found, REPORTS);
          expect([at > 3 && at < 12, Number.isInteger(codec.slice), codec.length]).toEqual([true, true, 2]);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }
    }
    for (let length = 0; length < frame.length; length++) {
      expect(() => codec.decode(frame.subarray(0, length), REPORTS)).toThrow(FrameError);
    }
  });

  it("leave no word of a longer frame before", () => {
    const codec = new FrameCodec();
    codec.decode(codec.encode(REPORTS, 1, new Uint8Array(400).fill(9)), REPORTS);
    codec.decode(codec.encode(REPORTS, 2, BODY), REPORTS);
    expect([codec.slice, codec.length]).toEqual([2, 2]);
  });

  it.each([
    [
      "another version",
      frameOf(FRAME_VERSION + 1, REPORTS, 3, BODY),
      `found version ${FRAME_VERSION + 1}, allowed is ${FRAME_VERSION}`,
    ],
    [
      "the version before",
      frameOf(FRAME_VERSION - 1, REPORTS, 3, BODY),
      `found version ${FRAME_VERSION - 1}, allowed is ${FRAME_VERSION}`,
    ],
    ["no version", frameOf(null, REPORTS, 3, BODY), "found version"],
    ["another kind", frameOf(FRAME_VERSION, COMMANDS, 3, BODY), "found kind 2, allowed is 1"],
    ["a slice below 0", frameOf(FRAME_VERSION, REPORTS, -1, BODY), "found slice -1"],
    ["half a slice", frameOf(FRAME_VERSION, REPORTS, 0.5, BODY), "found slice 0.5"],
    ["a slice that is no number", frameOf(FRAME_VERSION, REPORTS, NaN, BODY), "found slice NaN"],
    ["a slice beyond 2^48", frameOf(FRAME_VERSION, REPORTS, 2 ** 48 + 1, BODY), "found slice"],
    ["a slice as 64-bit integer", frameOf(FRAME_VERSION, REPORTS, 2n ** 63n, BODY), "found slice"],
    ["a slice in words", frameOf(FRAME_VERSION, REPORTS, "3", BODY), "found slice of type string"],
    ["a body of broken words", frameOf(FRAME_VERSION, REPORTS, 3, BODY.subarray(0, 7)), "whole words"],
    ["a body that is a list", frameOf(FRAME_VERSION, REPORTS, 3, [...BODY]), "binary"],
    ["no body", frameOf(FRAME_VERSION, REPORTS, 3), "array of 4"],
    ["too many fields", frameOf(FRAME_VERSION, REPORTS, 3, BODY, 0), "array of 4"],
    ["no array", Uint8Array.from(packr.pack({ version: 1 })), "array of 4"],
    ["a number", Uint8Array.of(1), "array of 4"],
    ["nothing", new Uint8Array(0), "no MessagePack"],
    ["a body cut short", frameOf(FRAME_VERSION, REPORTS, 3, BODY).slice(0, -1), "no MessagePack"],
    ["something after the frame", Uint8Array.of(...frameOf(FRAME_VERSION, REPORTS, 3, BODY), 1), "no MessagePack"],
    ["an array of four billion", Uint8Array.of(0xdd, 255, 255, 255, 255), "no MessagePack"],
    [
      "a body of four billion bytes",
      Uint8Array.of(0x94, FRAME_VERSION, REPORTS, 3, 0xc6, 255, 255, 255, 255),
      "no MessagePack",
    ],
    ["nesting without end", new Uint8Array(100_000).fill(0x91), "no MessagePack"],
  ])("with %s are refused", (_, frame, message) => {
    const codec = new FrameCodec();
    expect(() => codec.decode(frame, REPORTS)).toThrow(FrameError);
    expect(() => codec.decode(frame, REPORTS)).toThrow(message);
  });

  it.each([0, 1, 2])("with an object that has no text where field %s should be are refused", (field) => {
    const fields: unknown[] = [FRAME_VERSION, REPORTS, 3, BODY];
    fields[field] = { toString: 1, valueOf: 1 };
    expect(() => new FrameCodec().decode(frameOf(...fields), REPORTS)).toThrow(FrameError);
  });

  it("that are refused are not repeated in the message", () => {
    const frame = Uint8Array.of(...packr.pack(["\u202e".repeat(50)]), 1);
    expect(() => new FrameCodec().decode(frame, REPORTS)).toThrow(/^found bytes that are no MessagePack value$/);
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
