import { createHmac, timingSafeEqual } from "node:crypto";
import { NotBelieved } from "../../../io/sweep/queue-schema.js";

/** What a text is about: a notice of one sweep is none of another, a result of one run none of another. */
export type Purpose = "sweep" | "worker" | "run" | "result";

const SEALED = /^([0-9a-f]{64})\.(.*)$/s;

/**
 * Signs what this process puts into Redis, with a keyed hash (HMAC-SHA-256) where there is a queue secret, and believes only what was
 * signed with the same one. Without a secret nothing is signed, and nothing that is signed is believed, for nobody can check it.
 */
export class Seal {
  constructor(private readonly secret: string | null) {}

  /** @param about the id or key that the text belongs to. @param body JSON of an object. */
  close(purpose: Purpose, about: string, body: string): string {
    return this.secret === null ? body : `${hashed(this.secret, purpose, about, body).toString("hex")}.${body}`;
  }

  /** @returns the body. @throws NotBelieved */
  open(purpose: Purpose, about: string, text: string): string {
    const [, found, body] = SEALED.exec(text) ?? [];
    if (this.secret === null) {
      if (found === undefined) return text;
      throw new NotBelieved("signed with a queue secret, and this process has none");
    }
    if (found === undefined) throw new NotBelieved("not signed with the queue secret");
    if (timingSafeEqual(Buffer.from(found, "hex"), hashed(this.secret, purpose, about, body))) return body;
    throw new NotBelieved("signed with another queue secret, or changed since");
  }
}

function hashed(secret: string, purpose: Purpose, about: string, body: string): Buffer {
  return createHmac("sha256", secret).update(`bide\n${purpose}\n${about}\n${body}`).digest();
}
