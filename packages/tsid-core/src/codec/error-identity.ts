/** Derives a class name from a code, `NODE_IN_USE` to `NodeInUseError`: minified bundles rename classes, not codes. */
export const errorName = (code: string): string =>
  `${code.toLowerCase().replace(/(^|_)./g, (part) => part.slice(-1).toUpperCase())}Error`;

/**
 * Makes `instanceof` of a base class also recognize the errors of other copies of this package: a process can load its ES
 * module and its CommonJS copy. Subclasses keep the plain check.
 */
export function recognizeCopies(Base: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`@solegate/tsid-core/${name}`);
  Object.defineProperty(Base.prototype, brand, { value: true });
  Object.defineProperty(Base, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== Base) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && brand in value;
    },
  });
}

/** All errors among the classes of a module, as a union that a check of `code` narrows. */
export type ErrorOf<Classes, Base> = {
  [Name in keyof Classes]: Classes[Name] extends new (
    ...facts: never
  ) => infer One
    ? One extends Base
      ? One
      : never
    : never;
}[keyof Classes];

/** A base class as what `instanceof` takes, which narrows to the union of its errors. */
export interface ErrorBase<AnyError> {
  [Symbol.hasInstance](value: unknown): value is AnyError;
}
