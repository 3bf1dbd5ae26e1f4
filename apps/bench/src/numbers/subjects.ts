import type { SubjectTable } from '../workers/subject.js';
import {
  openDocumentTransaction,
  openIncrementNumbering,
  openRowLockNumbering,
  openSequenceNumbering,
  openUpsertNumbering,
  openVersionNumbering,
} from './rejected-numbering.js';
import { openSeedNumbering } from './seed-numbering.js';
import {
  openSolegateLockAlways,
  openSolegateNumbering,
  openSolegateWithoutRedis,
  openSolegateWriter,
} from './solegate-numbering.js';

/** Every way of numbering that the bench knows, by the name that its tables show. */
export const numberSubjects = {
  solegate: openSolegateNumbering,
  'solegate without Redis': openSolegateWithoutRedis,
  'solegate, lock always': openSolegateLockAlways,
  'solegate writer': openSolegateWriter,
  "seed's code": openSeedNumbering,
  'upsert + ledger': openUpsertNumbering,
  'FOR UPDATE': openRowLockNumbering,
  'version only': openVersionNumbering,
  'nextval + ledger': openSequenceNumbering,
  'INCR + ledger': openIncrementNumbering,
  'transaction a document': openDocumentTransaction,
} satisfies SubjectTable;
