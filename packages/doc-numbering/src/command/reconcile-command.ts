import { parseArgs } from 'node:util';
import type { SqlPool } from '@solegate/postgres-infra';
import type { Finding } from '../contract/ledger-entry.js';
import { createNumbering } from '../create-numbering.js';

const usage = `Usage: doc-numbering-reconcile --database postgres://user@host/name [--space P1] [--series RFA]
         [--unattached-hours 24] [--json]

Compares every counter with the ledger and ends reservations whose time is over. Ends with 0 when there is nothing for a
person to look at, with 1 when there is, with 2 when it could not look.`;

/** What the command needs of the world, so that a test can be the world. */
export interface CommandWorld {
  readonly args: readonly string[];
  readonly connect: (url: string) => Promise<SqlPool & { end(): Promise<void> }>;
  readonly print: (text: string) => void;
}

/** Exit status of `doc-numbering-reconcile`. */
export async function reconcileCommand({ args, connect, print }: CommandWorld): Promise<0 | 1 | 2> {
  const options = readOptions(args);
  if (!options) {
    print(usage);
    return 2;
  }
  const pool = await connect(options.database);
  const numbering = createNumbering({ database: pool });
  try {
    const findings = await numbering.reconcile(options.request);
    print(options.isJson ? JSON.stringify(findings) : toText(findings));
    return findings.some(({ kind }) => kind !== 'expired_reservations') ? 1 : 0;
  } catch (error) {
    print(`The ledger could not be read: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  } finally {
    await numbering.close();
    await pool.end();
  }
}

const hourMs = 3_600_000;

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        database: { type: 'string' },
        space: { type: 'string' },
        series: { type: 'string' },
        'unattached-hours': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { database, space, series, json, 'unattached-hours': hours } = values;
    if (database === undefined) return undefined;
    const request = {
      ...(space === undefined ? {} : { space }),
      ...(series === undefined ? {} : { series }),
      ...(hours === undefined ? {} : { unattachedAfterMs: Math.round(Number(hours) * hourMs) }),
    };
    return { database, isJson: json, request };
  } catch {
    return undefined;
  }
}

function toText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Every counter agrees with the ledger.';
  return findings.map(describe).join('\n');
}

function describe(finding: Finding): string {
  switch (finding.kind) {
    case 'hole':
      return `${finding.counter}: ${finding.first} to ${finding.last} are missing from the ledger`;
    case 'regression':
      return `${finding.counter}: stands at ${finding.lastNumber}, but ${finding.highWaterMark} was issued`;
    case 'marks_unread':
      return `Redis gave no answer: what it remembers of ${finding.counterCount} counters was not compared`;
    case 'expired_reservations':
      return `${finding.count} reservations were over and are cancelled now`;
    case 'unattached':
      return `${finding.counter}: ${finding.count} numbers have no document, for example ${finding.example}`;
    case 'width':
      return `${finding.counter}: ${Math.round(finding.widthUsed * 100)} % of the width is used`;
  }
}
