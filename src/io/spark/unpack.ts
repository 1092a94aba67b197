import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { ZSTDDecoder } from "zstddec/stream";
import { LIMITS } from "../../core/scenario/index.js";
import { ZstdFrames } from "./zstd-frames.js";

// Unpacks logs piece by piece in bounded memory, and checks the checksums that their formats carry.

/**
 * The reasons why packed data cannot be read whole: it ends too early, its checksum does not fit, a frame asks for a
 * larger window than is allowed or than there is memory for, or it is no such data.
 */
export type PackedProblem = "cut" | "checksum" | "window" | "memory" | "broken";

/** Hands on what it unpacks; each piece is valid only during the call. */
export interface Unpacker {
  /**
   * @param packed may be overwritten once this has ended. @returns false: the data is broken, and nothing more comes of
   *   it.
   */
  take(packed: Buffer): Promise<boolean>;
  /** To be called in any case. @returns null: all was whole. */
  end(): Promise<PackedProblem | null>;
}

type TakeBytes = (bytes: Buffer) => void;

const PIECE_BYTES = 1 << 18;

export function gzipUnpacker(onBytes: TakeBytes): Unpacker {
  return new NodeUnpacker(zlib.createGunzip({ chunkSize: PIECE_BYTES }), onBytes);
}

/**
 * @param windowBytes most that a frame may ask its reader to remember: a power of two.
 * @param mayUseNode false: the library is used even where Node has zstd itself.
 */
export async function zstdUnpacker(onBytes: TakeBytes, windowBytes: number, mayUseNode = true): Promise<Unpacker> {
  const made = mayUseNode ? nodeZstd(zlib as unknown as NodeZstd, windowBytes) : null;
  if (made !== null) return new FramesUnpacker(() => new NodeUnpacker(made(), onBytes));
  const library = new LibraryUnpacker(await (LOADER.compiled ??= compiledLibrary()), windowBytes, onBytes);
  return new FramesUnpacker(() => library);
}

/** Node has had zstd since 22.15; the types are those of the oldest Node that Bide supports. */
interface NodeZstd {
  readonly createZstdDecompress?: (options: object) => Transform;
  readonly constants: { readonly ZSTD_d_windowLogMax?: number };
}

/** Null: this Node has none. */
function nodeZstd(node: NodeZstd, windowBytes: number): (() => Transform) | null {
  const { createZstdDecompress } = node;
  const { ZSTD_d_windowLogMax: windowLog } = node.constants;
  if (createZstdDecompress === undefined || windowLog === undefined) return null;
  return () => createZstdDecompress({ chunkSize: PIECE_BYTES, params: { [windowLog]: Math.log2(windowBytes) } });
}

/** A decompressor of Node's own. */
class NodeUnpacker implements Unpacker {
  private problem: PackedProblem | null = null;
  private readonly thrown: unknown[] = [];
  private readonly closed: Promise<void>;

  constructor(
    private readonly stream: Transform,
    onBytes: TakeBytes,
  ) {
    this.closed = new Promise((resolve) => {
      stream.once("close", resolve);
    });
    stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      this.problem = NODE_PROBLEMS[code ?? ""] ?? NODE_PROBLEMS[message] ?? "broken";
    });
    stream.on("data", (piece: Buffer) => {
      if (this.thrown.length > 0) return;
      try {
        onBytes(piece);
      } catch (error) {
        this.thrown.push(error);
      }
    });
  }

  async take(packed: Buffer): Promise<boolean> {
    const written = new Promise<void>((resolve) => {
      this.stream.write(packed, () => {
        resolve();
      });
    });
    await Promise.race([written, this.closed]);
    return this.isGood();
  }

  async end(): Promise<PackedProblem | null> {
    this.stream.end();
    await this.closed;
    this.isGood();
    return this.problem;
  }

  private isGood(): boolean {
    if (this.thrown.length > 0) throw this.thrown[0];
    return this.problem === null;
  }
}

/** By code, and by message where zlib has one code for all. */
const NODE_PROBLEMS: Readonly<Record<string, PackedProblem>> = {
  Z_BUF_ERROR: "cut",
  "incorrect data check": "checksum",
  "incorrect length check": "checksum",
  ZSTD_error_checksum_wrong: "checksum",
  ZSTD_error_frameParameter_windowTooLarge: "window",
  ZSTD_error_memory_allocation: "memory",
};

/** Frame by frame: Node's zstd stops after its first, and neither decompressor says that one is cut. */
class FramesUnpacker implements Unpacker {
  private readonly frames = new ZstdFrames();
  private frame: Unpacker | null = null;
  private problem: PackedProblem | null = null;

  constructor(private readonly unpacker: () => Unpacker) {}

  async take(packed: Buffer): Promise<boolean> {
    for (let from = 0; from < packed.length;) {
      this.frame ??= this.unpacker();
      const to = this.frames.take(packed, from);
      const isGood = await this.frame.take(packed.subarray(from, to));
      if (!isGood || this.frames.isBetween) await this.endFrame();
      if (this.problem !== null) return false;
      from = to;
    }
    return true;
  }

  async end(): Promise<PackedProblem | null> {
    const isOpen = this.frame !== null;
    await this.endFrame();
    return this.problem ?? (isOpen ? "cut" : null);
  }

  private async endFrame(): Promise<void> {
    const { frame } = this;
    this.frame = null;
    this.problem ??= (await frame?.end()) ?? null;
  }
}

/**
 * The functions used of libzstd 1.5.7, compiled to WebAssembly. Numbers are addresses, sizes and, below zero, errors.
 */
interface Libzstd {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly malloc: (bytes: number) => number;
  readonly ZSTD_createDCtx: () => number;
  readonly ZSTD_decompressStream: (context: number, output: number, input: number) => number;
}

/** The part of Node's global that is used: its types come with those of browsers alone. */
declare const WebAssembly: {
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** zstddec loads once in a process. The class keeps what it loaded: this module may be there twice, bundled and not. */
const LOADER: typeof ZSTDDecoder & { compiled?: Promise<object> } = ZSTDDecoder;

/**
 * The library's own loop over a stream is not used: it does not look at errors, and does not end at one. Each unpacker
 * has an instance, whose memory goes when it does.
 */
async function compiledLibrary(): Promise<object> {
  const decoder = new ZSTDDecoder();
  let module: object | null = null;
  decoder._init = (source: { readonly module: object }) => {
    ({ module } = source);
  };
  await decoder.init();
  if (module === null) throw new Error("zstddec has loaded nothing");
  return module;
}

const LIBRARY_PROBLEMS: Readonly<Record<number, PackedProblem>> = { 16: "window", 22: "checksum", 64: "memory" };

const MOST_ERROR = 120;

/** Offsets in the library's record of a buffer: where it lies, its size, how much of it is used. */
const [AT, SIZE, USED] = [0, 4, 8];

class LibraryUnpacker implements Unpacker {
  private readonly zstd: Libzstd;
  private readonly context: number;
  private readonly input: number;
  private readonly output: number;
  private inputBytes = 0;
  private problem: PackedProblem | null = null;

  constructor(
    module: object,
    windowBytes: number,
    private readonly onBytes: TakeBytes,
  ) {
    const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
    this.zstd = new WebAssembly.Instance(module, imports).exports as Libzstd;
    this.context = this.zstd.ZSTD_createDCtx();
    if (windowBytes !== LIMITS.zstdWindowBytes.usual) this.allowWindow(windowBytes);
    this.input = this.zstd.malloc(12);
    this.output = this.zstd.malloc(12);
    this.put(this.output + AT, this.zstd.malloc(PIECE_BYTES));
    this.put(this.output + SIZE, PIECE_BYTES);
  }

  async take(packed: Buffer): Promise<boolean> {
    this.hold(packed);
    // Output that fills the buffer may have more behind it.
    for (let written = PIECE_BYTES; written === PIECE_BYTES || this.read(this.input + USED) < packed.length;) {
      this.put(this.output + USED, 0);
      const result = this.zstd.ZSTD_decompressStream(this.context, this.output, this.input);
      if (result < 0 && result > -MOST_ERROR) {
        this.problem = LIBRARY_PROBLEMS[-result] ?? "broken";
        break;
      }
      written = this.read(this.output + USED);
      if (written > 0) this.onBytes(Buffer.from(this.zstd.memory.buffer, this.read(this.output + AT), written));
    }
    return Promise.resolve(this.problem === null);
  }

  async end(): Promise<PackedProblem | null> {
    return Promise.resolve(this.problem);
  }

  private hold(packed: Buffer): void {
    if (packed.length > this.inputBytes) {
      this.inputBytes = Math.max(packed.length, PIECE_BYTES);
      this.put(this.input + AT, this.zstd.malloc(this.inputBytes));
    }
    new Uint8Array(this.zstd.memory.buffer).set(packed, this.read(this.input + AT));
    this.put(this.input + SIZE, packed.length);
    this.put(this.input + USED, 0);
  }

  /**
   * This build does not export the call that allows larger windows. The limit is one word of a context, which no other
   * word of a new one equals: 128 MiB and one byte, as libzstd has it.
   */
  private allowWindow(windowBytes: number): void {
    const end = this.zstd.malloc(4);
    const words = new Uint32Array(this.zstd.memory.buffer, this.context, (end - this.context) >> 2);
    const limit = LIMITS.zstdWindowBytes.usual + 1;
    const place = words.indexOf(limit);
    if (place < 0 || words.includes(limit, place + 1))
      throw new Error("zstddec has no limit of windows where expected");
    words[place] = windowBytes + 1;
  }

  private put(address: number, word: number): void {
    new DataView(this.zstd.memory.buffer).setUint32(address, word, true);
  }

  private read(address: number): number {
    return new DataView(this.zstd.memory.buffer).getUint32(address, true);
  }
}
