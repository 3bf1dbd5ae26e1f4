import { parseArgs } from 'node:util';
import type { SqlPool } from '@solegate/postgres-infra';
import type { Finding } from '../contract/ledger-entry.js';
import { createNumbering } from '../create-numbering.js';
import { migrateNumbering } from '../sql/migrations.js';

const usage = `Usage: doc-numbering migrate   [--database URL] [--schema NAME] [--runtime-role NAME] [--dry-run]
       doc-numbering reconcile [--database URL] [--space P1] [--series RFA] [--unattached-hours 24] [--json]

migrate updates the tables to the newest version, or reports what it would run; with --runtime-role, it grants that role
what programs need. reconcile compares every counter with the ledger and expires overdue reservations. Default database:
DATABASE_URL, or PGHOST, PGUSER and related variables.

Exits with 0 if all is well, with 1 if reconcile found something that needs attention, with 2 if it failed.`;

type Pool = SqlPool & { end(): Promise<void> };

/** The environment of the command, replaceable in tests. */
export interface CommandWorld {
  readonly args: readonly string[];
  /** `undefined`: the environment variables decide. */
  readonly connect: (url: string | undefined) => Promise<Pool>;
  readonly print: (text: string) => void;
}

type ExitStatus = 0 | 1 | 2;

/** Runs `doc-numbering` and returns its exit status. */
export async function runCommand({ args, connect, print }: CommandWorld): Promise<ExitStatus> {
  const options = readOptions(args);
  if (!options) {
    print(usage);
    return 2;
  }
  const pool = await connect(options.database);
  try {
    return await (options.name === 'migrate' ? runMigrate : runReconcile)(pool, options, print);
  } catch (error) {
    print(`${options.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  } finally {
    await pool.end();
  }
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        database: { type: 'string' },
        schema: { type: 'string' },
        'runtime-role': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        space: { type: 'string' },
        series: { type: 'string' },
        'unattached-hours': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [name, ...more] = positionals;
    return (name === 'migrate' || name === 'reconcile') && more.length === 0
      ? { ...values, name }
      : undefined;
  } catch {
    return undefined;
  }
}

async function runMigrate(pool: Pool, options: Options, print: CommandWorld['print']): Promise<ExitStatus> {
  const { schema, 'dry-run': isDryRun, 'runtime-role': runtimeRole } = options;
  const report = await migrateNumbering(pool, {
    isDryRun,
    ...(schema === undefined ? {} : { schema }),
    ...(runtimeRole === undefined ? {} : { runtimeRole }),
  });
  for (const name of report.takenOver) print(`${name}: was already applied, but not recorded`);
  for (const name of report.applied) print(`${name}: ${isDryRun ? 'would be applied' : 'applied'}`);
  if (report.applied.length === 0) print('The tables are at the newest version.');
  if (runtimeRole !== undefined && !isDryRun) print(`${runtimeRole} has what programs need.`);
  return 0;
}

const HOUR_MS = 3_600_000;

async function runReconcile(pool: Pool, options: Options, print: CommandWorld['print']): Promise<ExitStatus> {
  const { space, series, json, 'unattached-hours': hours } = options;
  const numbering = createNumbering({ database: pool });
  try {
    const findings = await numbering.reconcile({
      ...(space === undefined ? {} : { space }),
      ...(series === undefined ? {} : { series }),
      ...(hours === undefined ? {} : { unattachedAfterMs: Math.round(Number(hours) * HOUR_MS) }),
    });
    print(json ? JSON.stringify(findings) : toText(findings));
    return findings.some(({ kind }) => kind !== 'EXPIRED_RESERVATIONS') ? 1 : 0;
  } finally {
    await numbering.close();
  }
}

function toText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Every counter agrees with the ledger.';
  return findings.map(describe).join('\n');
}

function describe(finding: Finding): string {
  switch (finding.kind) {
    case 'HOLE':
      return `${finding.counter}: ${finding.first} to ${finding.last} are missing from the ledger`;
    case 'REGRESSION':
      return `${finding.counter}: is at ${finding.lastNumber}, but ${finding.highWaterMark} was issued`;
    case 'MARKS_UNREAD':
      return `Redis did not respond: ${finding.counterCount} counters were not compared with their marks`;
    case 'EXPIRED_RESERVATIONS':
      return `${finding.count} overdue reservations were cancelled`;
    case 'VOID_MISMATCH':
      return `${finding.counter}: ${finding.count} numbers are void without saying why, or the reverse, for example ${finding.example}`;
    case 'UNATTACHED':
      return `${finding.counter}: ${finding.count} numbers have no document, for example ${finding.example}`;
    case 'WIDTH':
      return `${finding.counter}: ${Math.round(finding.widthUsed * 100)} % of the width is used`;
  }
}
