import { answered, type History, precedes } from './history.js';
import { reported, rowsByNumber } from './numbers.js';
import { rule } from './rule.js';

export const CORRECTION_RULES = {
  'a forgotten void': rule('A voided number stays void.', (history) => forgotten(history, 'void')),

  'a forgotten confirmation': rule('A confirmed number is issued for good.', (history) =>
    forgotten(history, 'confirm'),
  ),

  'a forgotten cancellation': rule('A cancelled reservation stays cancelled.', (history) =>
    forgotten(history, 'cancel'),
  ),

  'a forgotten replacement': rule(
    'Voiding a number and issuing its replacement are one commit.',
    function* (history) {
      const rows = rowsByNumber(history);
      for (const { step, number, answer } of answered(history, 'correction')) {
        const row = rows.get(number);
        if (step !== 'replace' || row === undefined) continue;
        if (row.status !== 'void' || row.replacedBy !== answer.replacedBy) {
          yield `${number} by ${answer.replacedBy}: stored as ${row.status}, by ${row.replacedBy}`;
        }
      }
    },
  ),

  'a correction answered with another state': rule(
    'A correction is answered with the state that it ends in.',
    function* (history) {
      for (const { step, number, answer } of answered(history, 'correction')) {
        if (answer.status !== ENDS[step].toUpperCase())
          yield `${number}: ${step} was answered ${answer.status}`;
      }
    },
  ),

  'a repeat that denies a void': rule(
    'A retry returns the number with its current status.',
    function* (history) {
      const voids = answered(history, 'correction').filter(({ step }) => step === 'void');
      const voided = new Map(voids.map((call) => [call.number, call]));
      for (const { number, status, call } of reported(history)) {
        const before = voided.get(number);
        if (before === undefined || status === undefined || call.key === undefined) continue;
        if (precedes(before, call) && status !== 'VOID' && isRepeat(history, call)) {
          yield `${number} of ${call.key}: ${status}`;
        }
      }
    },
  ),

  'a number confirmed by nobody': rule(
    'Only a confirmation makes a reserved number final.',
    function* (history) {
      const rows = rowsByNumber(history);
      const confirmed = new Set(
        history.calls.flatMap((call) =>
          call.asked === 'correction' && call.step === 'confirm' ? [call.number] : [],
        ),
      );
      for (const { number, call } of reported(history)) {
        if (call.way === 'reserve' && rows.get(number)?.status === 'issued' && !confirmed.has(number))
          yield number;
      }
    },
  ),
};

/** The state that each correction ends in. */
const ENDS = { void: 'void', replace: 'void', confirm: 'issued', cancel: 'cancelled' } as const;

function* forgotten(history: History, step: 'void' | 'confirm' | 'cancel'): Iterable<string> {
  const rows = rowsByNumber(history);
  for (const call of answered(history, 'correction')) {
    const status = rows.get(call.number)?.status;
    if (call.step === step && status !== undefined && status !== ENDS[step]) {
      yield `${call.number}: stored as ${status}`;
    }
  }
}

function isRepeat(history: History, { key, atMs }: { readonly key: string; readonly atMs: number }): boolean {
  return history.calls.some((call) => call.asked === 'numbers' && call.key === key && call.atMs < atMs);
}
