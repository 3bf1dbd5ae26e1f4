import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Before a Jest run: offers the run's own servers, and starts them for the first test that asks.
 *
 * All workers find the address of a small listener in SOLEGATE_TEST_RUN and ask it for `postgres` or `redis`; it starts one
 * child process that runs the servers and answers with their URLs. The child ends when its standard input does, which is
 * in the teardown or with the death of this process. Nothing is started where TEST_DATABASE_URL and TEST_REDIS_URL are set.
 */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setUp() {
  if (process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL) return;
  let child;
  const listener = createServer((worker) => {
    child ??= startServers();
    worker.on('error', () => worker.destroy());
    createInterface({ input: worker }).on('line', (service) => {
      void child.ask(service).then((answer) => worker.end(answer));
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  listener.unref();
  process.env.SOLEGATE_TEST_RUN = String(listener.address().port);
  globalThis[Symbol.for('solegate.testRun')] = {
    async end() {
      listener.close();
      await child?.end();
    },
  };
}

function startServers() {
  const entry = fileURLToPath(new URL('./src/run-servers.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import', import.meta.resolve('tsx'), entry],
    {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const answers = new Map();
  const ask = (service) => {
    const known = answers.get(service);
    if (known) return known.text;
    const answer = deferred();
    answers.set(service, answer);
    child.stdin.write(`${service}\n`);
    return answer.text;
  };
  createInterface({ input: child.stdout }).on('line', (line) =>
    answers.get(JSON.parse(line).service)?.give(line),
  );
  void exited.then(() => {
    for (const answer of answers.values())
      answer.give(JSON.stringify({ error: 'The test servers have ended' }));
  });
  return {
    ask,
    async end() {
      child.stdin.end();
      await exited;
    },
  };
}

function deferred() {
  let give;
  const text = new Promise((resolve) => {
    give = resolve;
  });
  return { text, give };
}
