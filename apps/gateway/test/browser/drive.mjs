import { createServer } from 'node:http';
import chromium from '@sparticuz/chromium';
import { build } from 'esbuild';
import { chromium as playwright } from 'playwright-core';

/*
 * Runs the page of page.mjs in a real Chromium, once under each origin that it is given, and prints what came of it as
 * JSON. The first argument says the gateway, a token, a trip that exists, and the port of each origin.
 */

const { gateway, tripId, ports } = JSON.parse(process.argv[2] ?? '{}');

const { outputFiles } = await build({
  entryPoints: [new URL('page.mjs', import.meta.url).pathname],
  bundle: true,
  write: false,
  format: 'iife',
  logLevel: 'silent',
  define: { 'process.env.NODE_ENV': '"production"' },
});
const script = outputFiles[0].text;

const servers = await Promise.all(Object.values(ports).map(serve));
const browser = await playwright.launch({
  args: chromium.args.filter((arg) => !/web-security|site-isolation|process-per|single-process/.test(arg)),
  executablePath: await chromium.executablePath(),
  headless: true,
});
try {
  const outcomes = {};
  for (const [name, port] of Object.entries(ports)) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    outcomes[name] = {};
    for (const kind of ['fetch', 'apollo', 'urql']) {
      outcomes[name][kind] = await page.evaluate(
        ([which, where, id]) => globalThis.run(which, where, id),
        [kind, gateway, tripId],
      );
    }
    await page.close();
  }
  process.stdout.write(JSON.stringify(outcomes));
} finally {
  await browser.close();
  for (const server of servers) server.close();
}

function serve(port) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><title>page</title><script>${script.replaceAll('</script', '<\\/script')}</script>`,
    );
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
