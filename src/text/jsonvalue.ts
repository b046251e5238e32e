/** What JSON can carry; numbers are finite and held exactly by a double, strings hold no lone surrogate. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export type JsonObject = { readonly [key: string]: JsonValue };
