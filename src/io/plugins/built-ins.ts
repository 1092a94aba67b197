// What the check itself uses, as it was before any plugin was loaded.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty, getPrototypeOf } = Reflect;

/** What all objects and all lists inherit: a property that is added here shows up in every one of Bide's. */
const INHERITED: readonly (readonly [name: string, owner: object])[] = [
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
];

function keyWords(key: PropertyKey): string {
  return typeof key === "symbol" ? `[${key.description ?? ""}]` : `.${String(key)}`;
}

interface Kept {
  readonly owner: object;
  readonly key: PropertyKey;
  readonly name: string;
  readonly descriptor: PropertyDescriptor;
}

/**
 * The functions that the language brings (`Array.prototype.push`, `Math.random`), as they are when this is made. Code that changes them
 * changes Bide; then what goes wrong, wherever it shows, is a plugin's doing and not a mistake in Bide. The same holds for a property
 * that is added to `Object.prototype` so that it shows up in every object.
 */
export class BuiltIns {
  private readonly kept: Kept[] = [];

  constructor() {
    for (const [name, owner] of owners()) {
      for (const key of ownKeys(owner)) {
        const descriptor = getOwnPropertyDescriptor(owner, key);
        if (descriptor === undefined || (typeof descriptor.value !== "function" && descriptor.get === undefined))
          continue;
        this.kept.push({
          owner,
          key,
          name: `${name}${keyWords(key)}`,
          descriptor,
        });
      }
    }
  }

  /** Puts back whatever was changed since. @returns the name of the first that was, or null. Uses nothing that may have been changed. */
  putBack(): string | null {
    const { kept } = this;
    let first: string | null = null;
    // No iterator: that may be what was changed.
    for (let i = 0; i < kept.length; i++) {
      const { owner, key, name, descriptor } = kept[i];
      const now = getOwnPropertyDescriptor(owner, key);
      if (
        now !== undefined &&
        now.value === descriptor.value &&
        now.get === descriptor.get &&
        now.set === descriptor.set
      ) {
        continue;
      }
      first ??= name;
      defineProperty(owner, key, descriptor);
    }
    for (let i = 0; i < INHERITED.length; i++) {
      const [name, owner] = INHERITED[i];
      const keys = ownKeys(owner);
      for (let k = 0; k < keys.length; k++) {
        const key = keys[k];
        // What the language itself has there does not show up in loops over keys.
        if (getOwnPropertyDescriptor(owner, key)?.enumerable !== true || !deleteProperty(owner, key)) continue;
        first ??= `${name}${keyWords(key)}`;
      }
    }
    return first;
  }
}

/** What is wrong with a plugin that did so, behind its name. */
export function changedWords(name: string): string {
  return `found ${name} changed, allowed a plugin that leaves what the language brings as it is`;
}

function owners(): (readonly [name: string, owner: object])[] {
  const classes = {
    ...{
      Object,
      Function,
      Array,
      String,
      Number,
      Boolean,
      Symbol,
      BigInt,
      Map,
      Set,
      WeakMap,
      WeakSet,
      Promise,
      RegExp,
      Date,
      Error,
    },
    ...{
      ArrayBuffer,
      DataView,
      Int8Array,
      Uint8Array,
      Int16Array,
      Uint16Array,
      Int32Array,
      Uint32Array,
      Float32Array,
      Float64Array,
    },
  };
  const both = Object.entries(classes).flatMap(([name, one]): [string, object][] => [
    [name, one],
    [`${name}.prototype`, one.prototype as object],
  ]);
  const typed = getPrototypeOf(Int8Array) as unknown as { readonly prototype: object };
  const iterators = [[], new Map(), new Set()].map((one): [string, object] => [
    "iterator",
    getPrototypeOf((one as Iterable<unknown>)[Symbol.iterator]()) as object,
  ]);
  return [
    ...both,
    ["TypedArray.prototype", typed.prototype],
    ...iterators,
    ["Math", Math],
    ["JSON", JSON],
    ["Reflect", Reflect],
  ];
}
