import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The first part of each address that the console has; behind it the page finds its own way. */
const VIEWS = ['load', 'trips', 'nodes', 'ledger', 'counters', 'formats', 'api'];
const MODE = '<meta name="solegate-identity" content="demo"';

/** Everything comes from here: no script or style inside the page, nothing of another host, no frame around it. */
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
  /** How callers say who they are, which the page has to know before it asks. */
  readonly identityMode: 'demo' | 'jwt';
  /** Where vite put the console. Default: that of the workspace. */
  readonly directory?: string;
}

/**
 * The console: one page for all of its addresses, asked for anew at each visit, and files whose names change with their
 * content, which a browser keeps for a year.
 *
 * @throws when the console was not built
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
    throw new Error(`The console is not built: ${directory} has no page. "npm start" builds it.`, { cause });
  });
  const sendPage = async (_request: unknown, reply: FastifyReply): Promise<FastifyReply> => {
    // The page names files by their content, so a console that is built again needs its own page; while it is built there is none.
    page = await readPage().catch(() => page);
    return reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  };
  app.get('/', sendPage);
  for (const view of VIEWS) {
    app.get(`/${view}`, sendPage);
    app.get(`/${view}/*`, sendPage);
  }
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
