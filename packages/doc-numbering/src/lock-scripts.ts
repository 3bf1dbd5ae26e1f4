import { type LoadScriptOptions, type LuaScript, loadScript } from '@solegate/redis-infra';

import { giveLocksText } from './lua/give-locks.js';
import { takeLocksText } from './lua/take-locks.js';

/** A script for each number of keys that was ever passed: Redis is told how many there are. */
function byKeyCount<Reply>(
  options: Omit<LoadScriptOptions<Reply>, 'keyCount'>,
): (keyCount: number) => LuaScript<Reply> {
  const scripts = new Map<number, LuaScript<Reply>>();
  return (keyCount) => {
    const script = scripts.get(keyCount) ?? loadScript({ ...options, keyCount });
    scripts.set(keyCount, script);
    return script;
  };
}

/** Three values a counter: 1 or 0, version, last number. */
export const takeLocks = byKeyCount({
  name: 'take-locks',
  text: takeLocksText,
  decode: (reply): readonly unknown[] => (Array.isArray(reply) ? reply : []),
});

export const giveLocks = byKeyCount({ name: 'give-locks', text: giveLocksText, decode: (reply) => reply });
