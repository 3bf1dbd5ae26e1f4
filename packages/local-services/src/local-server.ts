import { type DataDirectory, openDataDirectory } from './data-directory.js';
import type { ProcessExit } from './guarded-process.js';

/** A store on loopback that was started here and ends with this process. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Process ID of the server; of PostgreSQL the postmaster's. */
  readonly pid: number;
  /** Where the data really lies. */
  readonly dataDir: string;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<ProcessExit>;
  /** Ends it in good order: everything acknowledged is kept. May be called twice. */
  stop(): Promise<void>;
}

/** Opens a data directory for a server; a temporary one goes when the server stops, or when it does not start. */
export async function startIn(
  dataDir: string | undefined,
  start: (data: DataDirectory) => Promise<LocalServer>,
): Promise<LocalServer> {
  const data = await openDataDirectory(dataDir);
  try {
    const server = await start(data);
    return {
      ...server,
      async stop() {
        await server.stop();
        await data.discard();
      },
    };
  } catch (error) {
    await data.discard();
    throw error;
  }
}
