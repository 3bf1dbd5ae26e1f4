import { readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis, forkTypeScript } from '@solegate/testkit';
import { migrations, TRIP_MOVES, type TripMove } from '../src/index.js';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

function block(language: string, index = 0): string {
  const [, text] = [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))][index] ?? [];
  if (text === undefined) throw new Error(`the README has no ${language} block`);
  return text;
}

describe('the README', () => {
  test('shows exactly the moves that the code makes', () => {
    const drawn = block('mermaid')
      .split('\n')
      .filter((line) => line.includes('-->'))
      .map((line) => line.trim());
    const made = Object.entries<TripMove>(TRIP_MOVES).flatMap(([name, { from, to, raisesEpoch }]) =>
      (from.length === 0 ? ['[*]'] : from).map(
        (status) => `${status} --> ${to}: ${name}${raisesEpoch ? ' (epoch + 1)' : ''}`,
      ),
    );
    expect(drawn.toSorted()).toEqual(made.toSorted());
  });

  test('lists who makes each move and which event it writes', () => {
    for (const [name, { by, event }] of Object.entries<TripMove>(TRIP_MOVES)) {
      expect(readme).toMatch(new RegExp(`^\\| ${name} +\\| ${by} +\\| .* \\| ${event} +\\|$`, 'm'));
    }
  });

  test('has an example that offers a trip to a driver who is near', async () => {
    await using database = await createTestDatabase({ migrations });
    await using redis = await createTestRedis();
    const file = new URL('./readme-example-nearest.ts', import.meta.url);
    const setUp = `
      import { openRedis } from '@solegate/redis-infra';
      import { createTripReservation } from '@solegate/trip-reservation';
      import { Pool } from 'pg';
      const database = new Pool({ connectionString: ${JSON.stringify(database.url)} });
      const redis = await openRedis({ url: ${JSON.stringify(redis.url)}, purpose: 'decision', commandTimeoutMs: 10_000 });
    `;
    const shown = "process.stdout.write(JSON.stringify(near.offeredTo.map(String)) + '\\n');";
    // On a busy machine, a first connection to PostgreSQL can take longer than the default of 250 ms, and Redis than 60.
    const example = block('ts', 1).replace('{ redis, database }', '{ redis, database, timeoutMs: 10_000 }');
    const tidy = 'await trips.close(); redis.disconnect(); await database.end();';
    await writeFile(file, `${setUp}${example.replace(/console\.log\(.*\n/, `${shown}\n`)}${tidy}`);
    try {
      await using child = forkTypeScript(file);
      expect(await child.nextLine()).toEqual(['501']);
      expect((await child.exited).code).toBe(0);
    } finally {
      await rm(file);
    }
  });

  test('has an example of fifteen lines that works as described, at every start', async () => {
    const example = block('ts');
    expect(example.split('\n').filter((line) => line.trim() !== '')).toHaveLength(15);
    await using database = await createTestDatabase({ migrations: [] });
    await using redis = await createTestRedis();
    // Next to the sources, so that it resolves the packages.
    const file = new URL('./readme-example.ts', import.meta.url);
    const printing = `process.stdout.write(JSON.stringify(outcomes.map(({ kind }) => kind)) + '\\n');`;
    const source = example
      .replace('process.env.DATABASE_URL', JSON.stringify(database.url))
      .replace(`process.env.REDIS_URL ?? 'redis://localhost'`, JSON.stringify(redis.url))
      .replace(/console\.log\(.*\n/, `${printing}\n`);
    await writeFile(file, source);
    try {
      // Every start must work, not only the first.
      for (let start = 1; start <= 2; start += 1) {
        await using child = forkTypeScript(file);
        const kinds = (await child.nextLine()) as string[];
        expect(kinds.toSorted()).toEqual(['ACCEPTED', 'TAKEN', 'TAKEN']);
        expect((await child.exited).code).toBe(0);
      }
    } finally {
      await rm(file);
    }
  });
});
