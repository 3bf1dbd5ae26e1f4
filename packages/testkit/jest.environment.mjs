import { types } from 'node:util';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/**
 * Jest's Node environment, with two changes that make a test file behave like production code.
 *
 * - `error instanceof Error` is true for errors of every realm. Node's modules throw errors of the main realm, so a
 *   refused connection would not be an Error in a test, although it is in production. Subclasses are unaffected.
 * - A worker ends when Jest does, however Jest ends. Open connections would keep it alive, and its servers with it.
 */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default class TestRunEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    judgeErrorsOfEveryRealm(this.global.Error);
    if (process.listenerCount('disconnect', endAsOrphan) === 0) process.once('disconnect', endAsOrphan);
  }
}

function judgeErrorsOfEveryRealm(RealmError) {
  Object.defineProperty(RealmError, Symbol.hasInstance, {
    value(candidate) {
      if (this === RealmError && types.isNativeError(candidate)) return true;
      return Function.prototype[Symbol.hasInstance].call(this, candidate);
    },
  });
}

function endAsOrphan() {
  process.exit(1);
}
