import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const MODE = '<meta name="solegate-identity" content="demo"';

/** Only resources of this host: no inline scripts or styles, nothing from other hosts, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ConsoleOptions {
  /** How callers authenticate; the page needs it before its first request. */
  readonly identityMode: 'demo' | 'jwt';
  /** Directory of the built console. Default: the workspace's. */
  readonly directory?: string;
}

/**
 * Serves the console: one page for every URL that a browser opens, revalidated on each visit, and assets with content hashes in their
 * names, which browsers cache for a year.
 *
 * @throws if the console has not been built
 */
export async function registerConsolePage(
  app: FastifyInstance,
  { identityMode, directory = builtConsole() }: ConsoleOptions,
): Promise<void> {
  const readPage = async (): Promise<string> => {
    const page = await readFile(join(directory, 'index.html'), 'utf8');
    return page.replace(MODE, MODE.replace('demo', identityMode));
  };
  let page = await readPage().catch((cause: unknown) => {
    throw new Error(`The console is not built: no page in ${directory}. "npm start" builds it.`, { cause });
  });
  const sendPage = async (_request: unknown, reply: FastifyReply): Promise<FastifyReply> => {
    // The page refers to hashed assets, so a rebuild needs a new page; during a build the last page is served.
    page = await readPage().catch(() => page);
    return reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  };
  app.get('/', sendPage);
  // The page routes its views and explains unknown addresses to people; programs get an error that they can parse.
  app.get('/*', (request, reply) =>
    request.headers.accept?.includes('text/html') ? sendPage(request, reply) : reply.callNotFound(),
  );
  await app.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
}

function builtConsole(): string {
  const manifest = createRequire(import.meta.url).resolve('@solegate/console/package.json');
  return join(dirname(manifest), 'dist');
}
