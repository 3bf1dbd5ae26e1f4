import { types } from 'node:util';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/**
 * The realm that a test file runs in: Jest's own for Node, and two things that make it behave as production does.
 *
 * - `error instanceof Error` is true for errors of every realm. Node's modules throw those of the main realm, so that a
 *   refused connection would be no Error in a test and one in production. Subclasses judge as ever.
 * - A worker ends when Jest does, by whatever death. Open connections would keep it alive, and its servers with it.
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
