import { answeredCall, defined, type Falsification, rowOf } from './sabotage.js';

export const NUMBER_SABOTAGES = {
  idMintedTwice: {
    caughtBy: 'a duplicate ID',
    falsify(draft) {
      const { answer } = answeredCall(draft, 'ids', { gateway: 0 }).ending;
      answer[2] = defined(answeredCall(draft, 'ids', { gateway: 1 }).ending.answer[0]);
    },
  },
  oneNodeForTwoGateways: {
    caughtBy: 'a node of two processes',
    falsify({ calls }) {
      for (const call of calls) {
        if (call.asked !== 'ids' || call.gateway !== 1 || call.ending.kind === 'failed') continue;
        call.ending.answer = call.ending.answer.map((id) => String(BigInt(id) - 4096n + 100n));
      }
    },
  },
  idsOutOfOrder: {
    caughtBy: 'IDs out of order',
    falsify: (draft) => void answeredCall(draft, 'ids').ending.answer.reverse(),
  },
  idsWithheld: {
    caughtBy: 'missing IDs',
    falsify: (draft) => void answeredCall(draft, 'ids').ending.answer.pop(),
  },
  numberIssuedTwice: {
    caughtBy: 'a duplicate number',
    falsify(draft) {
      const { ending } = answeredCall(draft, 'numbers', { key: 'plain' });
      ending.answer = answeredCall(draft, 'numbers', { key: 'repeated' }).ending.answer;
    },
  },
  voidedNumberIssuedAgain: {
    caughtBy: 'a voided number issued again',
    falsify(draft) {
      const { ending } = answeredCall(draft, 'numbers', { key: 'plain' });
      ending.answer = answeredCall(draft, 'numbers', { key: 'voided' }).ending.answer;
    },
  },
  keyNotStored: {
    caughtBy: 'one key, two numbers',
    falsify(draft) {
      const row = rowOf(draft, 'unanswered');
      row.key = null;
      const [, repeat] = draft.calls.filter((call) => call.asked === 'numbers' && call.key === 'repeated');
      const { number, sequence } = row;
      Object.assign(defined(repeat), {
        ending: { kind: 'answered', answer: [{ number, sequence, status: 'ISSUED' }] },
      });
    },
  },
  keyOfEverybody: {
    caughtBy: 'a key of another person',
    falsify(draft) {
      const { ending, number } = answeredCall(draft, 'borrowing');
      ending.answer = { kind: 'DocumentNumber', number };
    },
  },
  repeatTakenForAnotherRequest: {
    caughtBy: 'a repeat refused',
    falsify(draft) {
      const ending = { kind: 'failed', code: 'IdempotencyKeyReused', outcomeUnknown: false } as const;
      draft.calls.push({ ...answeredCall(draft, 'numbers', { key: 'plain' }), ending });
    },
  },
  acknowledgedCommitLost: {
    caughtBy: 'a lost number',
    falsify(draft) {
      const { ending } = answeredCall(draft, 'numbers', { key: 'calm' });
      const [issued] = ending.answer;
      draft.streams.numbers = [];
      draft.calmFromMs = Number.POSITIVE_INFINITY;
      draft.ledger = draft.ledger.filter(({ number }) => number !== issued?.number);
      defined(draft.counters[0]).last -= 1;
    },
  },
  rowOfAnotherRequest: {
    caughtBy: 'a number of another request',
    falsify: (draft) => void Object.assign(rowOf(draft, 'plain'), { key: 'of nobody' }),
  },
  positionMisreported: {
    caughtBy: 'a number stored otherwise',
    falsify: (draft) =>
      void Object.assign(defined(answeredCall(draft, 'numbers', { key: 'plain' }).ending.answer[0]), {
        sequence: 99,
      }),
  },
  ledgerRowMissing: {
    caughtBy: 'a hole in the ledger',
    falsify(draft) {
      draft.ledger = draft.ledger.filter(({ key }) => key !== 'unanswered');
    },
  },
  counterAheadOfLedger: {
    caughtBy: 'a hole in the ledger',
    falsify({ counters }) {
      defined(counters[0]).last += 1;
    },
  },
  counterBehindLedger: {
    caughtBy: 'a number beyond its counter',
    falsify({ counters }) {
      defined(counters[0]).last -= 1;
    },
  },
  numberStoredTwice: {
    caughtBy: 'one number, two rows',
    falsify(draft) {
      const counter = defined(draft.counters[0]);
      counter.last += 1;
      draft.ledger.push({ ...rowOf(draft, 'plain'), key: null, sequence: counter.last });
    },
  },
  batchStoredInPart: {
    caughtBy: 'half a batch',
    falsify({ calls }) {
      const batch = calls.find((call) => call.asked === 'numbers' && call.key === 'unanswered batch');
      Object.assign(defined(batch), { count: 4 });
    },
  },
  batchScattered: {
    caughtBy: 'a scattered batch',
    falsify: (draft) => void answeredCall(draft, 'numbers', { way: 'batch' }).ending.answer.reverse(),
  },
  voidForgotten: {
    caughtBy: 'a forgotten void',
    falsify: (draft) => void Object.assign(rowOf(draft, 'voided'), { status: 'issued' }),
  },
  confirmationForgotten: {
    caughtBy: 'a forgotten confirmation',
    falsify: (draft) => void Object.assign(rowOf(draft, 'confirmed'), { status: 'reserved' }),
  },
  cancellationForgotten: {
    caughtBy: 'a forgotten cancellation',
    falsify: (draft) => void Object.assign(rowOf(draft, 'cancelled'), { status: 'reserved' }),
  },
  replacementForgotten: {
    caughtBy: 'a forgotten replacement',
    falsify: (draft) => void Object.assign(rowOf(draft, 'replaced'), { replacedBy: null }),
  },
  voidAnsweredIssued: {
    caughtBy: 'a correction answered with another state',
    falsify(draft) {
      answeredCall(draft, 'correction', { step: 'void' }).ending.answer.status = 'ISSUED';
    },
  },
  repeatUnawareOfVoid: {
    caughtBy: 'a repeat that denies a void',
    falsify({ calls }) {
      const [, repeat] = calls.filter((call) => call.asked === 'numbers' && call.key === 'voided');
      const { ending } = defined(repeat) as { ending: { answer: { status: string }[] } };
      Object.assign(defined(ending.answer[0]), { status: 'ISSUED' });
    },
  },
  reservationIssuedByItself: {
    caughtBy: 'a number confirmed by nobody',
    falsify: (draft) => void Object.assign(rowOf(draft, 'still reserved'), { status: 'issued' }),
  },
  documentLost: {
    caughtBy: 'a lost document',
    falsify: ({ documents }) => void documents.shift(),
  },
  documentCommittedAlone: {
    caughtBy: 'a document without its number',
    falsify: (draft) => void Object.assign(rowOf(draft, 'unanswered document'), { documentId: null }),
  },
  numberCommittedAlone: {
    caughtBy: 'a number without its document',
    falsify: ({ documents }) => void documents.pop(),
  },
  importForgotten: {
    caughtBy: 'a lost import',
    falsify({ ledger }) {
      for (const row of ledger) if (row.counter === 'OLD' && row.sequence <= 3) row.status = 'cancelled';
    },
  },
  importStoredInPart: {
    caughtBy: 'half an import',
    falsify: ({ ledger }) =>
      void Object.assign(defined(ledger.find(({ status }) => status === 'imported')), {
        status: 'cancelled',
      }),
  },
  numbersOutOfOrder: {
    caughtBy: 'numbers out of order',
    falsify(draft) {
      const [early, late] = [rowOf(draft, 'replacement'), rowOf(draft, 'plain')];
      const [first, last] = ['replacement', 'plain'].map(
        (key) => answeredCall(draft, 'numbers', { key }).ending,
      );
      Object.assign(early, { key: 'plain' });
      Object.assign(late, { key: 'replacement' });
      [defined(first).answer, defined(last).answer] = [defined(last).answer, defined(first).answer];
    },
  },
} satisfies Readonly<Record<string, Falsification>>;
