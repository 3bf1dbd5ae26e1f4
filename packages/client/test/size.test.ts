import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

/** What a page loads, bundled, minified and compressed: the figures of the README. All operations are in it. */
async function sizeOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    conditions: ['@solegate/source'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

const CLIENT = `import { createClient } from '@solegate/client'; globalThis.client = createClient({ url: '/graphql' });`;
const WITH_SOCKETS = `
  import { createClient } from '@solegate/client';
  import { webSockets } from '@solegate/client/websocket';
  globalThis.client = createClient({ url: '/graphql', webSocket: webSockets() });`;
const ONE_DOCUMENT = `import { AcceptTripDocument } from '@solegate/client/documents'; globalThis.document = AcceptTripDocument;`;

test.each([
  ['the client', CLIENT, 10_500],
  ['the client with WebSockets', WITH_SOCKETS, 14_500],
  ['one document for another client', ONE_DOCUMENT, 1_000],
])('%s is small', async (_what, program, bytesMax) => {
  const bytes = await sizeOf(program);
  expect(bytes).toBeGreaterThan(100);
  expect(bytes).toBeLessThan(bytesMax);
});
