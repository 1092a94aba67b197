import { afterEach, beforeEach } from "vitest";
import { Site } from "./bide-process.js";
import { RedisServer } from "./redis-server.js";

/** The server of the test that runs, and a folder with the sweep; both are gone after it. */
export let server: RedisServer;
export let site: Site;

export async function startRedis(...options: Parameters<typeof RedisServer.start>): Promise<void> {
  server = await RedisServer.start(...options);
  site = new Site(server.url);
}

/** For files in which every test needs nothing but a plain server. */
export function startRedisForEach(): void {
  beforeEach(async () => startRedis());
}

afterEach(async () => {
  await site.remove();
  await server.stop();
});
