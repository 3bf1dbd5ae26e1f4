import type { ChildAnswer, ChildCall } from './child.js';

/**
 * The program of a child: calls the functions of the module in its arguments. It ends when the channel closes, so a bench
 * that is killed leaves no processes behind.
 */
const module = import(process.argv[2] ?? '') as Promise<Record<string, (...args: unknown[]) => unknown>>;

async function answer({ name, args }: ChildCall): Promise<ChildAnswer> {
  try {
    return { result: await (await module)[name]?.(...args) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { message, stack: stack ?? '' };
  }
}

/** If the bench was killed meanwhile, nobody waits for the answer. */
const unheard = () => undefined;
process.on('message', (call: ChildCall) => void answer(call).then((given) => process.send?.(given, unheard)));
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the bench decides when its processes end.
process.on('SIGINT', () => undefined);
