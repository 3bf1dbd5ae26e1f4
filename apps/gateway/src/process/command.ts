import { parseArgs } from 'node:util';

/** What the command line asks the process to do. */
export type Command =
  /** Migrate, then serve; for development. */
  | { readonly kind: 'start' }
  /** Serve without migrating, as a role that is not allowed to change tables. */
  | { readonly kind: 'serve' }
  | { readonly kind: 'migrate'; readonly runtimeRole: string | undefined };

/** The arguments are invalid; the message shows the usage. */
class CommandError extends Error {
  readonly code = 'COMMAND';
  override readonly name = 'CommandError';
}

const USAGE = `node dist/main.js                                  brings the tables up to date, then serves
node dist/main.js serve                            serves; refuses tables that lack migrations
node dist/main.js migrate [--runtime-role NAME]    brings the tables up to date, gives that role its rights, exits`;

/** Parses the command line. @throws CommandError */
export function readCommand(commandLine: readonly string[]): Command {
  const { values, positionals } = parse(commandLine);
  const [kind = 'start', ...rest] = positionals;
  const runtimeRole = values['runtime-role'];
  if (rest.length === 0 && kind === 'migrate') return { kind, runtimeRole };
  const isPlain = rest.length === 0 && runtimeRole === undefined;
  if (isPlain && kind === 'serve') return { kind };
  if (isPlain && positionals.length === 0) return { kind: 'start' };
  throw new CommandError(USAGE);
}

function parse(commandLine: readonly string[]) {
  try {
    const options = { 'runtime-role': { type: 'string' } } as const;
    return parseArgs({ args: [...commandLine], options, allowPositionals: true });
  } catch (cause) {
    throw new CommandError(USAGE, { cause });
  }
}
