import type { SubjectTable } from '../../workers/subject.js';
import { openOneRowHeld } from '../held-row.js';
import { openOriginalNumbering, openOriginalNumberingThroughTypeorm } from './original-numbering.js';
import {
  openDocumentTransaction,
  openIncrementNumbering,
  openRowLockNumbering,
  openSequenceNumbering,
  openUpsertNumbering,
  openUpsertThroughPooler,
  openVersionNumbering,
} from './rejected-numbering.js';
import {
  openSolegateChained,
  openSolegateLockAlways,
  openSolegateMixed,
  openSolegateNumbering,
  openSolegateThroughPooler,
  openSolegateWithoutRedis,
  openSolegateWriter,
  openSolegateWriterWithoutRedis,
} from './solegate-numbering.js';

/** All ways of numbering, by the name shown in tables. */
export const subjects = {
  solegate: openSolegateNumbering,
  'solegate without Redis': openSolegateWithoutRedis,
  'solegate, lock always': openSolegateLockAlways,
  'solegate, one row held': openOneRowHeld,
  'solegate writer': openSolegateWriter,
  'solegate writer without Redis': openSolegateWriterWithoutRedis,
  'solegate writer, chained': openSolegateChained,
  'solegate, mixed callers': openSolegateMixed,
  'solegate through PgBouncer': openSolegateThroughPooler,
  'original design': openOriginalNumbering,
  'original design through TypeORM': openOriginalNumberingThroughTypeorm,
  'upsert + ledger': openUpsertNumbering,
  'upsert + ledger through PgBouncer': openUpsertThroughPooler,
  'FOR UPDATE': openRowLockNumbering,
  'version only': openVersionNumbering,
  'nextval + ledger': openSequenceNumbering,
  'INCR + ledger': openIncrementNumbering,
  'transaction a document': openDocumentTransaction,
} satisfies SubjectTable;
