/**
 * An object without its undefined properties: spread over others they would cover them, and some readers count a name as given
 * although nothing was. Where nobody minds an undefined property, none of this is needed.
 *
 * @example ({ seed: 1, ...defined({ seed: undefined, steps: 3 }) }) // { seed: 1, steps: 3 }
 */
export function defined<T extends object>(values: T): Defined<T> {
  // What is left of each property is its type without undefined.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The same properties, of which those that may be undefined may be absent. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
