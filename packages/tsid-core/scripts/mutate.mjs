/*
 * Breaks the files that decide who may mint what, one small change at a time, and runs their quick tests: whatever passes is
 * a guard that no test shows to matter, or a change that makes no difference. Those that are known to make none are
 * explained in mutation-survivors.json; any other fails the run. Takes about half an hour; a slice takes its part of that.
 *
 * node scripts/mutate.mjs [part of a path] [slice, such as 2/5]
 *
 * Needs TEST_REDIS_URL and no uncommitted work in the files it breaks.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const survivorsFile = join(root, 'scripts/mutation-survivors.json');
/** Ends a run with its first failed test: one is enough. */
const firstFailure = join(root, 'scripts/first-failure.mjs');
const TIMEOUT_MS = 120_000;

/** Quick ones first: what they notice, the others need not be asked about. */
const lease = [
  ['test/lease-decisions.test', 'test/lease-later-life.test', 'test/fleet-memory.test'],
  ['test/lease-clocks.test', 'test/visible-key.test', 'test/node-lease.test'],
];
const generator = [['test/mint-path.test', 'test/tsid-generator.test'], ['test/node-registry.test']];
const list = [['test/node-lease.test']];
const targets = {
  'src/generator/tsid-generator.ts': generator,
  'src/generator/mint-limit.ts': generator,
  'src/generator/clock-reader.ts': generator,
  'src/node-lease/redis/fleet-memory.lua.ts': lease,
  'src/node-lease/redis/claim-node.lua.ts': lease,
  'src/node-lease/redis/renew-node.lua.ts': lease,
  'src/node-lease/redis/release-node.lua.ts': lease,
  'src/node-lease/fleet/node-fleet.ts': lease,
  'src/node-lease/redis/list-nodes.lua.ts': list,
  'src/node-lease/list-node-leases.ts': list,
  'src/node-lease/node-lease.ts': lease,
  'src/node-lease/claim-node.ts': lease,
  'src/node-lease/held-node.ts': lease,
  'src/node-lease/lease-monitor.ts': lease,
};

const shared = [
  [' >= ', ' > '],
  [' > ', ' >= '],
  [' <= ', ' < '],
  [' < ', ' <= '],
  [' + ', ' - '],
  [' - ', ' + '],
];
const typescript = [
  ...shared,
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' && ', ' || '],
  [' || ', ' && '],
  ['Math.max(', 'Math.min('],
  ['Math.min(', 'Math.max('],
  ['++', '--'],
  [' = true;', ' = false;'],
  [' = false;', ' = true;'],
  ['!this', 'this'],
];
const lua = [
  ...shared,
  [' == ', ' ~= '],
  [' ~= ', ' == '],
  [' and ', ' or '],
  [' or ', ' and '],
  ['math.max(', 'math.min('],
  ['math.min(', 'math.max('],
  ['not ', ''],
  [/^(\s*)(?:redis\.call\('(?:HSET|ZADD|SET|DEL)'.*\)|touch\(\)|remember\(\))$/, '$1-- gone'],
  [/^(\s*)(?:if .+ then )(return .+) end$/, '$1-- never: $2'],
];

/** Every change of one line in one place. Comments and imports are left alone. */
function* mutantsOf(file, text) {
  const isLua = file.endsWith('.lua.ts');
  const lines = text.split('\n');
  let isComment = false;
  for (const [index, line] of lines.entries()) {
    const code = line.trim();
    if (code.startsWith('/*')) isComment = true;
    const isSkipped = isComment || /^(?:\/\/|--|import |export (?:const|class|function)|\*)/.test(code);
    if (code.endsWith('*/')) isComment = false;
    if (isSkipped) continue;
    for (const [from, to] of isLua ? lua : typescript) {
      if (from instanceof RegExp) {
        if (from.test(line)) yield mutant(file, lines, index, line.replace(from, to));
        continue;
      }
      for (let at = line.indexOf(from); at >= 0; at = line.indexOf(from, at + 1)) {
        yield mutant(file, lines, index, line.slice(0, at) + to + line.slice(at + from.length));
      }
    }
  }
}

function mutant(file, lines, index, mutated) {
  return {
    name: `${file}: ${lines[index].trim()} => ${mutated.trim()}`,
    text: lines.with(index, mutated).join('\n'),
  };
}

/** Do the tests pass, one group after the other? */
async function passes(groups) {
  for (const tests of groups) if (!(await passesGroup(tests))) return false;
  return true;
}

/** A run that hangs has noticed. */
function passesGroup(tests) {
  const jest = [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--silent',
    '--runInBand',
    `--testEnvironment=${firstFailure}`,
  ];
  return new Promise((resolve) => {
    const run = spawn(process.execPath, [...jest, ...tests], { cwd: root, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => process.kill(-Number(run.pid), 'SIGKILL'), TIMEOUT_MS);
    run.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

const wanted = process.argv[2] ?? '';
const [slice, sliceCount] = (process.argv[3] ?? '1/1').split('/').map(Number);
const explained = new Map(
  JSON.parse(readFileSync(survivorsFile, 'utf8')).map(({ mutant, why }) => [mutant, why]),
);
const chosen = Object.entries(targets).filter(([file]) => file.includes(wanted));
const survivors = [];
/** Names of all mutants of this run. */
const made = new Set();
let mutantCount = 0;
for (const [file, tests] of chosen) {
  const path = join(root, file);
  const original = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, original);
  process.once('SIGINT', () => {
    restore();
    process.exit(130);
  });
  const mutants = [...mutantsOf(file, original)].filter((_mutant, index) => index % sliceCount === slice - 1);
  if (mutants.length === 0) continue;
  if (!(await passes(tests))) throw new Error(`The tests of ${file} fail without any change.`);
  try {
    for (const { name, text } of mutants) {
      mutantCount += 1;
      made.add(name);
      writeFileSync(path, text);
      if (!(await passes(tests))) continue;
      survivors.push(name);
      console.log(`${explained.has(name) ? 'explained' : 'SURVIVED '} ${name}`);
    }
  } finally {
    restore();
  }
  console.log(`${file}: done, ${mutantCount} mutants so far`);
}
const unexplained = survivors.filter((name) => !explained.has(name));
const isWhole = sliceCount === 1;
const stale = [...explained.keys()].filter(
  (name) =>
    !survivors.includes(name) &&
    (made.has(name) || (isWhole && chosen.some(([file]) => name.startsWith(`${file}:`)))),
);
for (const name of stale) console.log(`explained, but noticed by a test now, or made no more: ${name}`);
console.log(
  `${mutantCount} mutants, ${survivors.length} survived, ${unexplained.length} of them unexplained`,
);
process.exitCode = unexplained.length + stale.length > 0 ? 1 : 0;
