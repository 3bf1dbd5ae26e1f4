import { type LuaScript, loadScript } from '@solegate/redis-infra';

/** A script for each number of keys that was ever passed: Redis is told how many there are. */
function byKeyCount<Reply>(
  name: string,
  decode: (reply: unknown) => Reply,
): (keyCount: number) => LuaScript<Reply> {
  const file = new URL(`../lua/${name}.lua`, import.meta.url);
  const scripts = new Map<number, LuaScript<Reply>>();
  return (keyCount) => {
    const script = scripts.get(keyCount) ?? loadScript({ file, keyCount, decode });
    scripts.set(keyCount, script);
    return script;
  };
}

/** Three values a counter: 1 or 0, version, last number. */
export const takeLocks = byKeyCount('take-locks', (reply): readonly unknown[] =>
  Array.isArray(reply) ? reply : [],
);

export const giveLocks = byKeyCount('give-locks', (reply) => reply);
