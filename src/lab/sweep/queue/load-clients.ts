import type * as BullMQ from "bullmq";
import type * as IORedis from "ioredis";
import { queueError } from "./queue-address.js";

export interface QueueClients {
  readonly bullmq: typeof BullMQ;
  readonly ioredis: typeof IORedis;
}

/**
 * The libraries that speak with Redis. They are optional, for most sweeps need none.
 * @param from the option that asks for them, for the error.
 * @throws InputError where they are not installed.
 */
export async function loadClients(from: string): Promise<QueueClients> {
  try {
    const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, ioredis };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw queueError(from, "found no client for Redis; npm install bullmq ioredis beside bide provides it");
  }
}
