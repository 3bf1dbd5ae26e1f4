import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { forkTypeScript, manualClock } from '@solegate/testkit';
import { type BuildOptions, build } from 'esbuild';
import { createTsidGenerator, NodeInUseError } from '../src/index.js';
import { ManualSource } from './fleet/manual-source.js';

describe('one process', () => {
  test('refuses a second generator on a node, and allows other nodes and namespaces', () => {
    const first = createTsidGenerator({ node: 1, namespace: 'registry' });
    expect(() => createTsidGenerator({ node: 1, namespace: 'registry' })).toThrow(NodeInUseError);
    createTsidGenerator({ node: 2, namespace: 'registry' }).close();
    createTsidGenerator({ node: 1, namespace: 'other' }).close();
    first.close();
    createTsidGenerator({ node: 1, namespace: 'registry' }).close();
  });

  test('frees the node at the end of `await using`', async () => {
    const options = { node: 1, namespace: 'using' };
    {
      await using generator = createTsidGenerator(options);
      generator.next();
    }
    createTsidGenerator(options).close();
  });

  test('starts the next generator of a node above the last ID of the one before, in the same millisecond', () => {
    const clock = manualClock();
    let reads = 0;
    const walking = () => {
      if (++reads % 10_000 === 0) clock.advance(1);
      return clock.now();
    };
    const options = {
      node: 5,
      namespace: 'successor',
      now: walking,
      startAfterMs: 0,
      overflow: { borrowMaxMs: 3 },
    };
    const first = createTsidGenerator(options);
    const ids = first.fill(new BigUint64Array(10_000));
    first.close();
    first.close();
    expect(() => first.next()).toThrow(
      expect.objectContaining({ code: 'NODE_UNAVAILABLE', reason: 'CLOSED' }),
    );
    const second = createTsidGenerator(options);
    expect(second.next()).toBeGreaterThan(ids[9_999] ?? 0n);
    second.close();
  });

  test('frees a node that was lost at once, also if its generator mints nothing more', () => {
    const window = { node: 3, floorMs: 0, ceilingMs: Date.now() + 60_000 };
    const lease = new ManualSource('lost', window);
    const idle = createTsidGenerator({ lease });
    const id = idle.next();
    lease.change('LOST');
    const successor = createTsidGenerator({ lease: new ManualSource('lost', window) });
    expect(successor.next()).toBeGreaterThan(id);
    lease.change({ ...window, node: 4 });
    expect(idle.explain(idle.next()).node).toBe(4);
    idle.close();
    successor.close();
  });

  test('knows the generators of an ESM and of a CommonJS copy', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tsid-copies-'));
    const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));
    try {
      const shape: BuildOptions = { entryPoints: [entry], bundle: true, platform: 'node' };
      await build({ ...shape, format: 'cjs', outfile: join(directory, 'copy.cjs') });
      await build({ ...shape, format: 'esm', outfile: join(directory, 'copy.mjs') });
      await writeFile(
        join(directory, 'both.mts'),
        `import { createRequire } from 'node:module';
         import { createTsidGenerator } from './copy.mjs';
         const copy = createRequire(import.meta.url)('./copy.cjs');
         createTsidGenerator({ node: 9 });
         try { copy.createTsidGenerator({ node: 9 }); console.log('{}'); }
         catch (error) { console.log(JSON.stringify({ code: error.code, node: error.node })); }`,
      );
      await using child = forkTypeScript(join(directory, 'both.mts'));
      expect(await child.nextLine()).toEqual({ code: 'NODE_IN_USE', node: 9 });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
