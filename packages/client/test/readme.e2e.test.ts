import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { forkTypeScript, type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { repetitionOf } from '../src/calls/repetition.js';
import { OPERATIONS } from '../src/generated/operations.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = Array.from(README.matchAll(/```ts\n([\s\S]*?)```/g), ([, text = '']) => text);
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGatewayWithStores();
});

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

/** Runs a block as a reader would, and returns what it printed. */
async function run(index: number): Promise<unknown[]> {
  // Next to the sources, so that imports resolve as in a reader's file.
  const file = new URL(`./readme-example-${index}.ts`, import.meta.url);
  const source = (blocks[index] ?? 'no block')
    .replaceAll('http://127.0.0.1:4000/graphql', gateway.url)
    .replaceAll(/console\.log\((.*)\)/g, "process.stdout.write(JSON.stringify($1) + '\\n')");
  await writeFile(file, source);
  try {
    await using child = forkTypeScript(file);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    return [...child.lines];
  } finally {
    await rm(file);
  }
}

describe('the README', () => {
  test('begins with a dozen lines that issue a number and watch a trip', async () => {
    expect((blocks[0] ?? '').split('\n').filter((line) => line.trim() !== '')).toHaveLength(12);
    expect(await run(0)).toEqual([
      expect.stringMatching(/^TEAM-RFA-STR-\d{4}-0001$/),
      'TripAccepted',
      'TRIP_REQUESTED',
      'TRIP_ACCEPTED',
      'TRIP_STARTED',
      'TRIP_COMPLETED',
    ]);
  });

  test('handles errors', async () => {
    expect(await run(1)).toEqual([]);
  });

  test('watches a trip over a WebSocket', async () => {
    expect(await run(2)).toEqual(['FINDING', 'CANCELLED']);
  });

  test('reads with Apollo Client', async () => {
    expect(await run(3)).toEqual([1]);
  });

  test('reads with Apollo Client by the ID of the document', async () => {
    expect(await run(4)).toEqual([1]);
  });

  test('names the mutations that get a key', () => {
    const row = README.split('\n').find((line) => line.includes('which the client generates')) ?? '';
    const named = Array.from(row.matchAll(/`(\w+)`/g), ([, name]) => name);
    const keyed = Object.values(OPERATIONS).filter(
      (operation) => typeof repetitionOf(operation) === 'object',
    );
    expect(new Set(named)).toEqual(new Set(keyed.map(({ field }) => field)));
  });
});
