import { type DataDirectory, openDataDirectory } from '../system/data-directory.js';
import type { ProcessExit } from '../system/guarded-process.js';

/** A store on loopback that was started here and ends with this process. */
export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Process ID of the server; for PostgreSQL, of the postmaster. */
  readonly pid: number;
  /** Actual location of the data. */
  readonly dataDir: string;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<ProcessExit>;
  /** Stops it gracefully: every acknowledged write is kept. Can be called twice. */
  stop(): Promise<void>;
}

/** Starts a server in a data directory. A temporary one is removed when the server stops or fails to start. */
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
