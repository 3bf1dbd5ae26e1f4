import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packPackages } from './packed-packages.mjs';
import { report, runGuarded, runStep, StepError } from './step.mjs';
import { build, importBuilt, npmCommand, prepareWorkspace, root } from './workspace.mjs';

const EXAMPLES = join(root, 'examples');
/** Copies with their dependencies stay here between starts, and so do their stores, unless DATA_DIRECTORY is set. */
const INSTALLED = join(root, '.cache/examples');
const POLL_MS = 200;
const ANSWER_MAX_MS = 5_000;
const STOP_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Installs an example with npm, from tarballs of the packages, and runs it until a signal: with PostgreSQL and Redis, or
 * with a gateway if it uses the client.
 *
 * @returns the exit code: that of an example that ends by itself, 0 after a signal
 */
export async function run([name = '']) {
  if (!exampleNames().includes(name)) {
    const lines = exampleNames().map((known) => `  npm run example ${known.padEnd(17)}${describe(known)}`);
    console.error([name === '' ? 'Which one?' : `There is no example "${name}".`, ...lines].join('\n'));
    return 1;
  }
  const port = process.env.PORT ?? '3000';
  if (await isAnswered(`http://127.0.0.1:${port}`)) {
    throw new StepError(`Port ${port} is in use. Choose another: PORT=3001 npm run example ${name}`);
  }
  const env = await prepareWorkspace();
  await build('./packages/*', env);
  const usesGateway = manifestOf(name).dependencies['@solegate/client'] !== undefined;
  if (usesGateway) await build('@solegate/gateway', env);
  const folder = join(INSTALLED, name, 'app');
  await install(name, folder, env);
  return await runUntilSignal({ name, folder, port, usesGateway });
}

function exampleNames() {
  const entries = readdirSync(EXAMPLES, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8'));
}

const describe = (name) => manifestOf(name).description;

/** Copies the example and installs its dependencies, unless they are already installed. */
async function install(name, folder, env) {
  const tarballs = join(INSTALLED, name, 'tarballs');
  await rm(tarballs, { recursive: true, force: true });
  const packed = await packPackages(tarballs, { ...process.env, ...env });
  const manifest = manifestOf(name);
  const hash = createHash('sha256').update(process.version);
  for (const { name: dependency, file } of packed) {
    manifest.dependencies[dependency] = `file:${relative(folder, file)}`;
    hash.update(await readFile(file));
  }
  const stamp = hash.update(JSON.stringify(manifest)).digest('hex');
  const stampFile = join(folder, '.install-stamp');
  const isInstalled = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (!isInstalled) await rm(folder, { recursive: true, force: true });
  const filter = (path) => !/\/(?:node_modules|dist|\.next)$/.test(path);
  await cp(join(EXAMPLES, name), folder, { recursive: true, filter });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  if (isInstalled) return;
  const [npm, ...npmArgs] = npmCommand();
  const args = [...npmArgs, 'install', '--no-audit', '--no-fund', '--prefer-offline'];
  await runStep('installing the example', npm, args, { cwd: folder });
  await writeFile(stampFile, stamp);
}

async function runUntilSignal({ name, folder, port, usesGateway }) {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const address = `http://127.0.0.1:${port}`;
  const directory = process.env.DATA_DIRECTORY ?? join(INSTALLED, name, 'data');
  const needs = usesGateway ? await startGateway(directory, address) : await startStores(directory);
  try {
    const [npm, ...npmArgs] = npmCommand();
    const ending = runGuarded(npm, [...npmArgs, 'start', '--silent'], {
      cwd: folder,
      env: { ...needs.env, PORT: port },
      inherit: true,
      stop: stopping.signal,
    });
    if (await answersBefore(ending, address))
      report(`${name}: ${address}${needs.query}; Ctrl-C stops everything`);
    const { exitCode } = await ending;
    return stopping.signal.aborted ? 0 : exitCode;
  } finally {
    await needs.stop();
  }
}

/** PostgreSQL and Redis, or those of DATABASE_URL and REDIS_URL. */
async function startStores(directory) {
  const { startLocalServices } = await importBuilt('packages/local-services/dist/index.js');
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  const stores = await startLocalServices({ directory, databaseUrl, redisUrl, onProgress: report });
  return {
    env: { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl },
    query: '',
    stop: () => stores.stop(),
  };
}

/** A gateway that answers pages of the example's origin; it provides its own stores. */
async function startGateway(directory, origin) {
  const { freePort } = await importBuilt('packages/local-services/dist/index.js');
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const stopping = new AbortController();
  report('starting a gateway');
  const ending = runGuarded(process.execPath, [join(root, 'apps/gateway/dist/main.js')], {
    cwd: root,
    env: { PORT: String(port), ALLOWED_ORIGINS: origin, DATA_DIRECTORY: directory },
    stop: stopping.signal,
  });
  if (!(await answersBefore(ending, address))) {
    throw new StepError(`The gateway did not start.\n${(await ending).output}`);
  }
  return {
    env: {},
    query: `/?gateway=${address}/graphql`,
    stop: async () => {
      stopping.abort();
      await ending;
    },
  };
}

/** Returns true when the address answers, and false if the program ends without that. */
async function answersBefore(ending, address) {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ending.then(over, over);
  while (!isOver) {
    if (await isAnswered(address)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

const isAnswered = (address) =>
  fetch(address, { signal: AbortSignal.timeout(ANSWER_MAX_MS) }).then(
    () => true,
    () => false,
  );
