import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const WORKFLOWS = join(CHECKOUT, '.github/workflows');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, unknown>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: readonly string[];
  readonly permissions?: Record<string, string>;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

const readText = (file: string) => readFileSync(join(WORKFLOWS, file), 'utf8');
const read = (file: string) => parse(readText(file)) as Workflow;
const readJson = (path: string) => JSON.parse(readFileSync(join(CHECKOUT, path), 'utf8')) as Manifest;

interface Manifest {
  readonly scripts: Record<string, string>;
  readonly tasks: Record<string, unknown>;
  readonly engines: { readonly node: string };
}

/** Programs of the runner, with the words that follow them; npm, pnpm and node are checked below. */
const SYSTEM = [/^corepack enable$/, /^git (?:config user\.(?:name|email) '[^']+'|push --follow-tags)$/];
const PNPM_COMMANDS = [/^pnpm install --frozen-lockfile$/, /^pnpm -r publish --dry-run --no-git-checks$/];

/** Why a command cannot work in a checkout, if so. */
function faultOf(command: string): string | undefined {
  const words = command.split(' ');
  const [program = '', first = '', second = '', third = ''] = words;
  const missing = (script: string, path: string) =>
    readJson(path).scripts[script] === undefined ? `no script "${script}" in ${path}` : undefined;
  if ([...SYSTEM, ...PNPM_COMMANDS].some((pattern) => pattern.test(command))) return undefined;
  if (program === 'npm') return missing(first === 'run' ? second : first, 'package.json');
  if (program === 'node') return canAccess(first, constants.R_OK);
  if (program.startsWith('.')) return canAccess(program, constants.X_OK);
  if (command.startsWith('pnpm exec turbo run ')) {
    return readJson('turbo.json').tasks[words[4] ?? ''] === undefined ? `no task "${words[4]}"` : undefined;
  }
  if (program === 'pnpm' && first === '--filter') {
    return missing(third, `packages/${second.replace('@solegate/', '')}/package.json`);
  }
  return program === 'pnpm' ? missing(first, 'package.json') : `unknown program "${program}"`;
}

function canAccess(path: string, mode: number): string | undefined {
  try {
    accessSync(join(CHECKOUT, path), mode);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const stepsOf = (workflow: Workflow) => Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps);

describe.each(readdirSync(WORKFLOWS))('%s', (file) => {
  test('runs only what this checkout has', () => {
    const commands = stepsOf(read(file)).flatMap(({ run }) => run?.trim().split('\n') ?? []);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.map((command) => ({ command, fault: faultOf(command) }))).toEqual(
      commands.map((command) => ({ command, fault: undefined })),
    );
  });

  test('uses actions of a pinned version, and workflows of this checkout', () => {
    const { jobs } = read(file);
    for (const { uses } of [...stepsOf(read(file)), ...Object.values(jobs)]) {
      if (uses?.startsWith('./')) expect(canAccess(uses, constants.R_OK)).toBeUndefined();
      else expect(uses ?? 'actions/none@v0.0.0').toMatch(/^actions\/[a-z-]+@v\d+\.\d+\.\d+$/);
    }
  });

  test('uses no secret and may write nothing, unless a job says so', () => {
    expect(readText(file)).not.toContain('secrets.');
    expect(read(file).permissions).toEqual({ contents: 'read' });
  });
});

describe('a command', () => {
  test.each([
    ['npm run nothing', 'no script "nothing"'],
    ['pnpm --filter @solegate/consumers test:nothing', 'no script "test:nothing"'],
    ['pnpm exec turbo run nothing', 'no task "nothing"'],
    ['pnpm nothing', 'no script "nothing"'],
    ['node scripts/nothing.mjs', 'ENOENT'],
    ['.ci/nothing', 'ENOENT'],
    ['curl example.org', 'unknown program'],
  ])('that is not there is noticed: %s', (command, fault) => {
    expect(faultOf(command)).toContain(fault);
  });
});

test('the proof runs on the oldest Node that the packages accept, and on each release line', () => {
  const { node = [] } = read('ci.yml').jobs.proof?.strategy?.matrix ?? {};
  expect(readJson('package.json').engines.node).toBe(`>=${node[0]}`);
  expect(node.slice(1)).toEqual(['20', '22', '24']);
});

test('a release is started by hand, after the whole proof, and publishes with provenance', () => {
  const { on, jobs } = read('release.yml');
  expect(Object.keys(on)).toEqual(['workflow_dispatch']);
  expect(jobs).toMatchObject({
    proof: { uses: './.github/workflows/ci.yml' },
    publish: {
      needs: Object.keys(jobs).filter((name) => name !== 'publish'),
      permissions: { contents: 'write', 'id-token': 'write' },
    },
  });
  const commands = jobs.publish?.steps?.map(({ run }) => run) ?? [];
  const order = ['node scripts/check-release.mjs --versioned', 'pnpm -r publish --dry-run --no-git-checks'];
  const places = [...order, 'pnpm changeset publish', 'git push --follow-tags'].map((run) =>
    commands.indexOf(run),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});
