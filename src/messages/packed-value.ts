import { Packr } from "msgpackr/pack";

const packr = new Packr({ useRecords: false });

/** MessagePack of plain data; infinities and `undefined`, for which JSON has no word, included. */
export function packed(value: unknown): Uint8Array {
  return packr.pack(value) as Uint8Array;
}

/** @throws Error for bytes that are no MessagePack. */
export function unpacked(bytes: Uint8Array): unknown {
  return packr.unpack(bytes) as unknown;
}
