import { parseArgs } from 'node:util';
import type { RunSettings } from '../running/run-settings.js';
import { scenarios } from '../suite/scenarios.js';

/** A run as specified on the command line, before defaults are applied. */
export interface RunRequest
  extends Omit<RunSettings, 'repeatCount' | 'seed' | 'sabotage'>,
    Partial<Pick<RunSettings, 'repeatCount' | 'seed'>> {
  readonly outputFolder: string;
}

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly request: RunRequest }
  | { readonly kind: 'compare'; readonly before: string; readonly after: string }
  | { readonly kind: 'publish'; readonly file: string };

/** The command line is invalid; the message says what to write instead. */
export class CommandLineError extends Error {
  readonly code = 'COMMAND_LINE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandLineError';
  }
}

/** Parses the words after the program's name. @throws CommandLineError */
export function parseCommandLine(words: readonly string[]): Command {
  const { values, positionals } = parsed(words);
  if (values.help) return { kind: 'help' };
  const [verb = 'run', ...files] = positionals;
  const [before = '', after = ''] = files;
  switch (verb) {
    case 'run':
      expectFiles('run', files);
      return { kind: 'run', request: runRequest(values) };
    case 'compare':
      expectFiles(verb, files, 'the earlier result', 'the later result');
      return { kind: verb, before, after };
    case 'publish':
      expectFiles(verb, files, 'a result file of bench-results/');
      return { kind: verb, file: before };
    default:
      throw new CommandLineError(
        `"${verb}" is not a command of the bench; use run, compare, publish or --help.`,
      );
  }
}

type Values = ReturnType<typeof parsed>['values'];

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        scenario: { type: 'string', multiple: true, default: [] },
        only: { type: 'string' },
        parallel: { type: 'string' },
        processes: { type: 'string' },
        duration: { type: 'string' },
        rate: { type: 'string' },
        repeats: { type: 'string' },
        seed: { type: 'string' },
        quick: { type: 'boolean', default: false },
        target: { type: 'string', multiple: true, default: [] },
        header: { type: 'string', multiple: true, default: [] },
        output: { type: 'string', default: 'bench-results' },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandLineError(`${reason} See --help.`, { cause: error });
  }
}

function runRequest(values: Values): RunRequest {
  const targets = values.target.flatMap((text) => text.split(',')).map(targetUrl);
  const request = {
    scenarios:
      values.only === undefined
        ? scenarioNames(values.scenario, targets.length > 0)
        : [scenarioOf(values.only)],
    only: values.only,
    parallel: wholeNumber('--parallel', values.parallel, [1, 10_000]),
    processes: wholeNumber('--processes', values.processes, [1, 64]),
    durationMs: durationMs(values.duration),
    ratePerSecond: wholeNumber('--rate', values.rate, [1, 1_000_000]),
    repeatCount: wholeNumber('--repeats', values.repeats, [1, 10]),
    seed: wholeNumber('--seed', values.seed, [0, 2 ** 32 - 1]),
    quick: values.quick,
    targets,
    headers: Object.fromEntries(values.header.map(header)),
    outputFolder: values.output,
  };
  const { parallel, processes } = request;
  if (parallel !== undefined && processes !== undefined && processes > parallel) {
    throw new CommandLineError(
      `--processes ${processes} is more than --parallel ${parallel}: every process needs a caller.`,
    );
  }
  const present = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as RunRequest;
}

function scenarioNames(words: readonly string[], isRemote: boolean): string[] {
  const possible = scenarios
    .filter(({ remote }) => remote !== undefined || !isRemote)
    .map(({ name }) => name);
  const names = words.flatMap((word) => word.split(','));
  if (names.length === 0) return possible;
  return names.map((name) => {
    if (possible.includes(name)) return name;
    const where = isRemote ? ' against a target' : '';
    throw new CommandLineError(`There is no scenario "${name}"${where}; there are ${possible.join(', ')}.`);
  });
}

/** The scenario of the experiments that `--only` picks. */
function scenarioOf(only: string): string {
  const [name = ''] = only.split('.');
  if (ONLY_OF.has(name)) return name;
  throw new CommandLineError(
    `--only takes the beginning of an experiment's name, like numbers.spread or trips.1x100, not "${only}".`,
  );
}

/** The other scenarios have too few experiments to pick from. */
const ONLY_OF: ReadonlySet<string> = new Set(['numbers', 'trips', 'gateway']);

function wholeNumber(
  option: string,
  text: string | undefined,
  [smallest, largest]: readonly [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replaceAll('_', ''));
  if (!/^[\d_]+$/.test(text) || !Number.isSafeInteger(value) || value < smallest || value > largest) {
    throw new CommandLineError(
      `${option} takes a whole number from ${smallest} to ${largest.toLocaleString('en-US')}, not "${text}".`,
    );
  }
  return value;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const DURATION_MAX_MS = 3_600_000;

function durationMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  const milliseconds = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN);
  if (!(milliseconds >= 100 && milliseconds <= DURATION_MAX_MS)) {
    throw new CommandLineError(
      `--duration takes 100ms to 60m with its unit (800ms, 10s, 2m), not "${text}".`,
    );
  }
  return milliseconds;
}

function targetUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandLineError(`--target takes an address like http://localhost:4000, not "${text}".`);
  }
  if (url.pathname === '/') url.pathname = '/graphql';
  return url.href;
}

function header(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new CommandLineError(`--header takes "name: value", not "${text}".`);
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}

function expectFiles(verb: string, files: readonly string[], ...names: readonly string[]): void {
  if (files.length === names.length) return;
  const wanted = names.length === 0 ? 'takes no files' : `takes ${names.join(' and ')}`;
  throw new CommandLineError(`"${verb}" ${wanted}, and got ${files.length}. See --help.`);
}
