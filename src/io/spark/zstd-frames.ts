/** Finds the beginnings and ends of zstd frames, and the memory that they need (RFC 8878, section 3.1). */
export class ZstdFrames {
  /** The largest window of a frame so far. */
  windowBytes = 0;
  private next: "magic" | "descriptor" | "header" | "block" | "length" | "none" = "magic";
  private field: number[] = [];
  private fieldBytes = 4;
  private skippedBytes = 0;
  private descriptor = 0;

  /** No frame is open. */
  get isBetween(): boolean {
    return this.next === "magic" && this.field.length === 0 && this.skippedBytes === 0;
  }

  /** Reads to the end of the frame, or of the bytes if they end first. @returns the offset after the last byte read. */
  take(bytes: Uint8Array, from: number): number {
    let offset = from;
    while (offset < bytes.length) {
      if (this.next === "none") return bytes.length;
      if (this.skippedBytes > 0) {
        const skipped = Math.min(this.skippedBytes, bytes.length - offset);
        this.skippedBytes -= skipped;
        offset += skipped;
      } else {
        this.field.push(bytes[offset++]);
        if (this.field.length === this.fieldBytes) this.read(Buffer.from(this.field));
      }
      if (this.isBetween) break;
    }
    return offset;
  }

  private expect(next: ZstdFrames["next"], fieldBytes: number, skippedBytes = 0): void {
    this.next = next;
    this.fieldBytes = fieldBytes;
    this.skippedBytes = skippedBytes;
    this.field = [];
  }

  private read(field: Buffer): void {
    switch (this.next) {
      case "magic":
        if (isFrame(field)) this.expect("descriptor", 1);
        else if (isSkippable(field)) this.expect("length", 4);
        else this.expect("none", 0);
        break;
      case "length":
        this.expect("magic", 4, field.readUInt32LE(0));
        break;
      case "descriptor": {
        this.descriptor = field[0];
        const { hasWindow, dictionaryBytes, sizeBytes } = this.header();
        const bytes = (hasWindow ? 1 : 0) + dictionaryBytes + sizeBytes;
        if (bytes === 0) this.expect("block", 3);
        else this.expect("header", bytes);
        break;
      }
      case "header":
        this.windowBytes = Math.max(this.windowBytes, this.windowOf(field));
        this.expect("block", 3);
        break;
      case "block": {
        const block = field.readUIntLE(0, 3);
        // A block of one repeated byte holds that byte alone.
        const contentBytes = ((block >> 1) & 3) === 1 ? 1 : block >> 3;
        const checksumBytes = (this.descriptor & 4) === 0 ? 0 : 4;
        if ((block & 1) === 0) this.expect("block", 3, contentBytes);
        else this.expect("magic", 4, contentBytes + checksumBytes);
        break;
      }
      case "none":
        break;
    }
  }

  private header(): { readonly hasWindow: boolean; readonly dictionaryBytes: number; readonly sizeBytes: number } {
    const { descriptor } = this;
    const hasWindow = (descriptor & 0x20) === 0;
    const sizeBytes = [hasWindow ? 0 : 1, 2, 4, 8][descriptor >> 6];
    return { hasWindow, dictionaryBytes: [0, 1, 2, 4][descriptor & 3], sizeBytes };
  }

  /** A frame without a window is remembered whole. */
  private windowOf(field: Buffer): number {
    const { hasWindow, dictionaryBytes, sizeBytes } = this.header();
    if (hasWindow) {
      const base = 2 ** (10 + (field[0] >> 3));
      return base + (base / 8) * (field[0] & 7);
    }
    if (sizeBytes === 8) return Number(field.readBigUInt64LE(dictionaryBytes));
    return field.readUIntLE(dictionaryBytes, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  }
}

/**
 * Whether a file is packed with zstd, by its first bytes. Programs that pack in parallel begin with a frame to be
 * skipped.
 */
export function isZstd(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return head.length >= 4 && (isFrame(head) || isSkippable(head));
}

function isFrame(head: Buffer): boolean {
  return head.readUInt32LE(0) === 0xfd2fb528;
}

function isSkippable(head: Buffer): boolean {
  return (head.readUInt32LE(0) & 0xfffffff0) >>> 0 === 0x184d2a50;
}
