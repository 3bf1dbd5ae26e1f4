#!/usr/bin/env node
import { runCommand } from './run-command.js';

process.exitCode = await runCommand({
  args: process.argv.slice(2),
  connect: async (url) => {
    const { default: pg } = await import('pg');
    // biome-ignore lint/style/noProcessEnv: a command is configured by its environment, as psql is
    const connectionString = url ?? process.env.DATABASE_URL;
    return new pg.Pool({ ...(connectionString && { connectionString }), max: 2 });
  },
  print: (text) => process.stdout.write(`${text}\n`),
});
