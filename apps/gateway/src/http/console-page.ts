import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { FIRST_QUERY } from '../first-query.js';

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 78rem; padding: 1.5rem; }
  h1 { font-size: 1.25rem; margin: 0; }
  main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); margin-top: 1rem; }
  textarea, pre { box-sizing: border-box; width: 100%; height: 32rem; margin: 0; padding: .75rem; overflow: auto;
    border: 1px solid #8886; border-radius: .4rem; font: 13px/1.5 ui-monospace, monospace; background: #8881; }
  label, button, input { font: inherit; margin-right: .75rem; }
  button { padding: .25rem 1.25rem; }
`;

const SCRIPT = `
  const [form, query, user, answer] = ['form', 'query', 'user', 'answer'].map((id) => document.getElementById(id));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    answer.textContent = '…';
    const headers = { 'content-type': 'application/json' };
    if (user.value) headers['x-demo-user'] = user.value;
    try {
      const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query: query.value }) });
      answer.textContent = JSON.stringify(await response.json(), null, 2);
    } catch (error) {
      answer.textContent = String(error);
    }
  });
  query.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Solegate</title>
<style>${STYLE}</style>
<h1>Solegate</h1>
<form id="form">
  <label>Who asks <input id="user" placeholder="everybody, or driver-1" autocomplete="off"></label>
  <button>Run</button> Ctrl-Enter runs too.
  <main>
    <textarea id="query" spellcheck="false" aria-label="GraphQL">${FIRST_QUERY}</textarea>
    <pre id="answer" aria-live="polite"></pre>
  </main>
</form>
<script>${SCRIPT}</script>
</html>
`;

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = [
  "default-src 'none'",
  `style-src ${digest(STYLE)}`,
  `script-src ${digest(SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page to try the API from, without anything from elsewhere; demo mode only. */
export function registerConsolePage(app: FastifyInstance): void {
  app.get('/', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
}
