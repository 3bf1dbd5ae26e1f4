#!/usr/bin/env node
import { reconcileCommand } from './reconcile-command.js';

process.exitCode = await reconcileCommand({
  args: process.argv.slice(2),
  connect: async (connectionString) => {
    const { default: pg } = await import('pg');
    return new pg.Pool({ connectionString, max: 2 });
  },
  print: (text) => process.stdout.write(`${text}\n`),
});
