declare const json: unique symbol;

/** JSON of an object of this type. */
export type JsonText<T extends object> = string & { readonly [json]: T };

/** Serializes an object. */
export function toJsonText<T extends object>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>;
}

/** Adds fields to the JSON of an object. Neither is empty, and they have no field in common. */
export function addFields<A extends object, B extends object>(text: JsonText<A>, fields: B): JsonText<A & B> {
  return `${text.slice(0, -1)},${JSON.stringify(fields).slice(1)}` as JsonText<A & B>;
}
