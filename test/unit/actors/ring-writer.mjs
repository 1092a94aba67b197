import { workerData } from "node:worker_threads";
import { Ring } from "../../../dist/actors/index.js";

/**
 * A thread that writes `frames` frames into a ring: frame i has i * 37 mod `longest` bytes, each of value i mod 251.
 */
const ring = new Ring(workerData.memory);
for (let i = 0; i < workerData.frames; i++) {
  ring.write(new Uint8Array((i * 37) % workerData.longest).fill(i % 251), i, () => false);
}
