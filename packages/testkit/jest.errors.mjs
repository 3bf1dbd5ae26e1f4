import { types } from 'node:util';

/**
 * Jest runs each test file in a realm of its own, with an Error class of its own, while Node's modules throw those of the
 * main realm: `error instanceof Error` would be false for a refused connection in a test and true in production. Here it
 * is true for errors of every realm. Subclasses judge as ever.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(candidate) {
    if (this === Error && types.isNativeError(candidate)) return true;
    return Function.prototype[Symbol.hasInstance].call(this, candidate);
  },
});
