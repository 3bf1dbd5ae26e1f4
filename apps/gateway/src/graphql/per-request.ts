import type { RequestContext } from './request-context.js';

/** One value for each request, created on first use: a DataLoader lives as long as its request. */
export class PerRequest<Value> {
  readonly #made = new WeakMap<RequestContext, Value>();

  constructor(private readonly make: () => Value) {}

  of(context: RequestContext): Value {
    const known = this.#made.get(context);
    if (known !== undefined) return known;
    const value = this.make();
    this.#made.set(context, value);
    return value;
  }
}
