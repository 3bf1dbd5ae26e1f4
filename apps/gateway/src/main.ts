import { startLocalServices } from '@solegate/local-services';
import { ConfigurationError, type GatewayConfig, readConfig, readDatabaseUrls } from './config.js';
import { createLogger } from './operations/logger.js';
import { bannerOf } from './process/banner.js';
import { type Command, readCommand } from './process/command.js';
import { onStopSignal } from './process/stop-signal.js';
import { startWorkers } from './process/workers.js';

/*
 * The process behind `npm start` and `node dist/main.js`. `migrate` brings the tables up to date and exits. Otherwise
 * the process reads its configuration, starts embedded stores where no URL is given, starts one gateway or several
 * workers, and prints the banner. On a signal it shuts down gracefully and exits with 0. A signal that arrives during
 * startup takes effect once startup has finished.
 */

interface Running {
  stop(): Promise<void>;
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command.kind === 'migrate') await migrate(command.runtimeRole);
  else await run(command);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function migrate(runtimeRole: string | undefined): Promise<void> {
  const databaseUrls = readDatabaseUrls();
  const { runMigrate } = await import('./process/migrate-command.js');
  for (const databaseUrl of databaseUrls) await runMigrate({ databaseUrl, runtimeRole });
}

async function run(command: Exclude<Command, { readonly kind: 'migrate' }>): Promise<void> {
  const config = readConfig();
  const starting = start(config, command.kind === 'start');
  onStopSignal({
    timeoutMs: config.shutdownTimeoutMs,
    stop: async () => {
      const running = await starting.catch(() => undefined);
      await running?.stop();
    },
  });
  await starting;
}

async function start(config: GatewayConfig, migrates: boolean): Promise<Running> {
  // Load the gateway while the stores start. Workers load it themselves.
  const loading = config.workerCount > 1 ? undefined : import('./assembly/gateway.js');
  const stores = await startLocalServices({
    directory: config.dataDirectory,
    databaseUrl: config.databaseUrl,
    redisUrl: config.redisUrl,
    onProgress: (step) => process.stdout.write(`  ${step}\n`),
  });
  try {
    const gateway =
      loading === undefined
        ? await startWorkers(config, stores, migrates)
        : await (await loading).startGateway({
            databaseUrl: stores.databaseUrl,
            redisUrl: stores.redisUrl,
            // An empty embedded Redis has not lost any data.
            trustEmptyRedis: stores.redis !== undefined,
            migrates,
            demoHistory: stores.redis !== undefined && stores.postgres !== undefined,
            isBreakable: stores.redis !== undefined && stores.postgres !== undefined,
            config,
            logger: createLogger(config.logLevel),
          });
    process.stdout.write(bannerOf(config, stores, gateway));
    return {
      async stop() {
        await gateway.stop();
        await stores.stop();
      },
    };
  } catch (error) {
    await stores.stop();
    throw error;
  }
}

/** Formats an error for the terminal; the stack is shown only for unexpected errors. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use by another program. Stop that program, or choose another port: PORT=4001 npm start';
  }
  return 'code' in error ? error.message : (error.stack ?? error.message);
}
