import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startRedis } from "./fixture.js";

const PASSWORD = "Corr3ct-h0rse";
const WRONG = "Batt3ry-stapl3";

describe("a queue with a password", () => {
  it("lets in whoever has it; nobody ever says or stores it", async (test) => {
    const { server, site } = await startRedis(test, "quick", ["--requirepass", PASSWORD], { password: PASSWORD });
    const at = `127.0.0.1:${server.port}/0`;
    for (const command of [["worker"], ["sweep", "sweep.yaml", "--out", "never"]]) {
      for (const login of [`default:${WRONG}@`, ""]) {
        const refused = site.bide([...command, "--queue", `redis://${login}${at}`]);
        expect(await refused.end()).toBe(2);
        expect(refused.stderr).toContain(
          `redis://${at}: there is no Redis that can be used: it refuses this user and password`,
        );
      }
    }
    for (const args of [
      ["--queue", `redis//:${PASSWORD}@${at}`],
      ["--queue", `redis://:${PASSWORD}@${at}x`],
      [`redis://:${PASSWORD}@${at}`],
      [`--queue-=redis://:${PASSWORD}@${at}`],
    ]) {
      expect(await site.bide(["worker", ...args]).end()).toBe(2);
    }
    const worker = site.bide(["worker", "--json"], { BIDE_QUEUE: `redis://:${PASSWORD}@${at}` });
    const sweep = site.sweep("--json");
    expect(await sweep.end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
    worker.kill("SIGTERM");
    expect(await worker.end()).toBe(0);
    for (const secret of [PASSWORD, WRONG]) expect(site.traces()).not.toContain(secret);
    expect(site.traces()).toContain(`ready: `);
  });
});

describe("a queue behind TLS", () => {
  it("is reached with rediss:// by whoever trusts its certificate", async (test) => {
    const { server, site } = await startRedis(
      test,
      "quick",
      [
        "--port",
        "0",
        "--tls-port",
        "PORT",
        "--tls-auth-clients",
        "no",
        "--tls-cert-file",
        "cert.pem",
        "--tls-key-file",
        "key.pem",
      ],
      { tls: { rejectUnauthorized: false } },
      (folder) => {
        const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
        const files = ["-keyout", "key.pem", "-out", "cert.pem", "-days", "2"];
        execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], {
          cwd: folder,
          stdio: "ignore",
        });
      },
    );
    const { url } = server;
    const stranger = site.bide(["worker", "--queue", url]);
    expect(await stranger.end()).toBe(2);
    expect(stranger.stderr).toMatch(/there is no Redis that can be used: .*self-signed certificate/);
    const trust = { NODE_EXTRA_CA_CERTS: join(server.folder, "cert.pem") };
    site.bide(["worker", "--queue", url], trust);
    expect(await site.bide(["sweep", "sweep.yaml", "--out", "out", "--queue", url], trust).end()).toBe(0);
    expect(site.hasUndisturbedTable()).toBe(true);
    expect(readFileSync(trust.NODE_EXTRA_CA_CERTS, "utf8")).toContain("CERTIFICATE");
  });
});

describe("a Redis that cannot be used", () => {
  it("is refused when it would drop what it holds", async (test) => {
    const { site } = await startRedis(test, "quick", ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
    const worker = site.worker();
    expect(await worker.end()).toBe(2);
    expect(worker.stderr).toContain("expected maxmemory-policy noeviction, found allkeys-lru with maxmemory 104857600");
  });
});
