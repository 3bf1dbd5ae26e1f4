import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Global setup of a Jest run: provides the run's own servers, started when a test first asks for one.
 *
 * Workers find the port of a small listener in SOLEGATE_TEST_RUN and ask it for `postgres` or `redis`. It starts one
 * child process that runs the servers and returns their URLs. The child ends when its standard input closes: in the
 * teardown, or when this process dies. If the URLs of both servers are configured, nothing is started.
 */
// biome-ignore lint/style/noDefaultExport: Jest asks for it
export default async function setUp() {
  const { env } = process;
  if (env.TURBO_HASH && !env.SOLEGATE_NODE_VERSION) {
    throw new Error(
      'Start the tests with `npm test`: turbo alone would replay the results of another Node version.',
    );
  }
  const hasPostgres = env.TEST_DATABASE_URL || env.SOLEGATE_RUN_DATABASE_URL;
  const hasRedis = env.TEST_REDIS_URL || env.SOLEGATE_RUN_REDIS_URL;
  if (hasPostgres && hasRedis) return;
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
  const entry = fileURLToPath(new URL('./src/run/run-servers.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), entry],
    { detached: true, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit').then(() => JSON.stringify({ error: 'The test servers have ended' }));
  const lines = new EventEmitter();
  createInterface({ input: child.stdout }).on('line', (line) => lines.emit(JSON.parse(line).service, line));
  const answers = new Map();
  return {
    ask(service) {
      if (!answers.has(service)) {
        const answer = once(lines, service).then(([line]) => line);
        answers.set(service, Promise.race([answer, ended]));
        child.stdin.write(`${service}\n`);
      }
      return answers.get(service);
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
