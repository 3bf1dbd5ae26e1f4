import type { TestRedis } from '@solegate/testkit';

type Redis = TestRedis['client'];

/** A part of a script's text, and what replaces it. */
export type Weakening = readonly [guard: string, without: string];

/**
 * The same connection with guards removed from its Lua scripts. `check` fails if no script contained a guard, so that a
 * changed text cannot make a test meaningless.
 */
export function weakenedRedis(
  redis: Redis,
  ...weakenings: readonly Weakening[]
): { redis: Redis; check(): void } {
  const found = new Set<string>();
  const weaken = (text: string) =>
    weakenings.reduce((weaker, [guard, without]) => {
      if (!weaker.includes(guard)) return weaker;
      found.add(guard);
      return weaker.replaceAll(guard, () => without);
    }, text);
  const weakened = new Proxy(redis, {
    get(target, property) {
      if (property === 'evalsha')
        return () => Promise.reject(new Error('NOSCRIPT weakened scripts are sent whole'));
      if (property === 'eval') {
        return (text: string, ...rest: [number, ...string[]]) => target.eval(weaken(text), ...rest);
      }
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const check = () => {
    for (const [guard] of weakenings) if (!found.has(guard)) throw new Error(`No script contains: ${guard}`);
  };
  return { redis: weakened, check };
}
