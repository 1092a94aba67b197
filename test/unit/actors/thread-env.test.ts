import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { threadEnv } from "../../../dist/actors/index.js";

/** What a thread with that environment says of a piece of code. */
async function said(code: string): Promise<unknown> {
  const worker = new Worker(`require("node:worker_threads").parentPort.postMessage(${code})`, {
    eval: true,
    env: threadEnv(),
  });
  const [message] = (await once(worker, "message")) as unknown[];
  return message;
}

describe("the environment of a thread", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("has it import ES modules: Node aborts if a thread is ended while it requires one", async () => {
    const file = JSON.stringify(new URL("../../../dist/actors/thread-env.js", import.meta.url).pathname);
    const tried = `(() => { try { return typeof require(${file}).threadEnv } catch (error) { return error.code } })()`;
    expect(await said(tried)).toBe("ERR_REQUIRE_ESM");
  });

  it("keeps the options and the variables of the process", async () => {
    vi.stubEnv("NODE_OPTIONS", "--stack-trace-limit=7");
    vi.stubEnv("BIDE_TEST", "kept");
    expect(threadEnv().NODE_OPTIONS).toMatch(/^--stack-trace-limit=7 --/);
    expect(await said("[process.env.BIDE_TEST, process.execArgv]")).toEqual(["kept", process.execArgv]);
  });
});
