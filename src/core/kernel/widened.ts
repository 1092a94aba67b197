/** The same numbers in an array of twice the length; zeros follow. */
export function widened<A extends Int32Array | Int8Array | Uint8Array | Float64Array>(array: A): A {
  const wider = new (array.constructor as new (n: number) => A)(array.length * 2);
  wider.set(array);
  return wider;
}
