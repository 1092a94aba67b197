import type { TestContext } from "vitest";
import { type Pace, Site } from "./bide-process.js";
import { RedisServer } from "./redis-server.js";

export interface Place {
  readonly server: RedisServer;
  readonly site: Site;
}

/** A server for one test, and a folder with the sweep; both are gone after it. */
export async function startRedis(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  pace: Pace,
  ...options: Parameters<typeof RedisServer.start>
): Promise<Place> {
  const server = await RedisServer.start(...options);
  const site = new Site(server.url, pace);
  onTestFinished(async () => {
    await site.remove();
    await server.stop();
  });
  return { server, site };
}
