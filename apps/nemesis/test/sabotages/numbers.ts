import { answeredCall, caught, defined, rowOf } from './sabotage.js';

export const NUMBER_SABOTAGES = {
  idMintedTwice: caught('a duplicate ID', (draft) => {
    const { answer } = answeredCall(draft, 'ids', { gateway: 0 }).ending;
    answer[2] = defined(answeredCall(draft, 'ids', { gateway: 1 }).ending.answer[0]);
  }),
  oneNodeForTwoGateways: caught('a node of two processes', ({ calls }) => {
    for (const call of calls) {
      if (call.asked !== 'ids' || call.gateway !== 1 || call.ending.kind === 'failed') continue;
      call.ending.answer = call.ending.answer.map((id) => String(BigInt(id) - 4096n + 100n));
    }
  }),
  idsOutOfOrder: caught(
    'IDs out of order',
    (draft) => void answeredCall(draft, 'ids').ending.answer.reverse(),
  ),
  idsWithheld: caught('missing IDs', (draft) => void answeredCall(draft, 'ids').ending.answer.pop()),
  numberIssuedTwice: caught('a duplicate number', (draft) => {
    const { ending } = answeredCall(draft, 'numbers', { key: 'plain' });
    ending.answer = answeredCall(draft, 'numbers', { key: 'repeated' }).ending.answer;
  }),
  voidedNumberIssuedAgain: caught('a voided number issued again', (draft) => {
    const { ending } = answeredCall(draft, 'numbers', { key: 'plain' });
    ending.answer = answeredCall(draft, 'numbers', { key: 'voided' }).ending.answer;
  }),
  keyNotStored: caught('one key, two numbers', (draft) => {
    const row = rowOf(draft, 'unanswered');
    row.key = null;
    const [, repeat] = draft.calls.filter((call) => call.asked === 'numbers' && call.key === 'repeated');
    const { number, sequence } = row;
    Object.assign(defined(repeat), {
      ending: { kind: 'answered', answer: [{ number, sequence, status: 'ISSUED' }] },
    });
  }),
  keyOfEverybody: caught('a key of another person', (draft) => {
    const { ending, number } = answeredCall(draft, 'borrowing');
    ending.answer = { kind: 'DocumentNumber', number };
  }),
  repeatTakenForAnotherRequest: caught('a repeat refused', (draft) => {
    const ending = { kind: 'failed', code: 'IdempotencyKeyReused', outcomeUnknown: false } as const;
    draft.calls.push({ ...answeredCall(draft, 'numbers', { key: 'plain' }), ending });
  }),
  acknowledgedCommitLost: caught('a lost number', (draft) => {
    const { ending } = answeredCall(draft, 'numbers', { key: 'calm' });
    const [issued] = ending.answer;
    draft.streams.numbers = [];
    draft.calmFromMs = Number.POSITIVE_INFINITY;
    draft.ledger = draft.ledger.filter(({ number }) => number !== issued?.number);
    defined(draft.counters[0]).last -= 1;
  }),
  rowOfAnotherRequest: caught(
    'a number of another request',
    (draft) => void Object.assign(rowOf(draft, 'plain'), { key: 'of nobody' }),
  ),
  positionMisreported: caught(
    'a number stored otherwise',
    (draft) =>
      void Object.assign(defined(answeredCall(draft, 'numbers', { key: 'plain' }).ending.answer[0]), {
        sequence: 99,
      }),
  ),
  ledgerRowMissing: caught('a hole in the ledger', (draft) => {
    draft.ledger = draft.ledger.filter(({ key }) => key !== 'unanswered');
  }),
  counterAheadOfLedger: caught('a hole in the ledger', ({ counters }) => {
    defined(counters[0]).last += 1;
  }),
  counterBehindLedger: caught('a number beyond its counter', ({ counters }) => {
    defined(counters[0]).last -= 1;
  }),
  numberStoredTwice: caught('one number, two rows', (draft) => {
    const counter = defined(draft.counters[0]);
    counter.last += 1;
    draft.ledger.push({ ...rowOf(draft, 'plain'), key: null, sequence: counter.last });
  }),
  batchStoredInPart: caught('half a batch', ({ calls }) => {
    const batch = calls.find((call) => call.asked === 'numbers' && call.key === 'unanswered batch');
    Object.assign(defined(batch), { count: 4 });
  }),
  batchScattered: caught(
    'a scattered batch',
    (draft) => void answeredCall(draft, 'numbers', { way: 'batch' }).ending.answer.reverse(),
  ),
  voidForgotten: caught(
    'a forgotten void',
    (draft) => void Object.assign(rowOf(draft, 'voided'), { status: 'issued' }),
  ),
  confirmationForgotten: caught(
    'a forgotten confirmation',
    (draft) => void Object.assign(rowOf(draft, 'confirmed'), { status: 'reserved' }),
  ),
  cancellationForgotten: caught(
    'a forgotten cancellation',
    (draft) => void Object.assign(rowOf(draft, 'cancelled'), { status: 'reserved' }),
  ),
  replacementForgotten: caught(
    'a forgotten replacement',
    (draft) => void Object.assign(rowOf(draft, 'replaced'), { replacedBy: null }),
  ),
  voidAnsweredIssued: caught('a correction answered with another state', (draft) => {
    answeredCall(draft, 'correction', { step: 'void' }).ending.answer.status = 'ISSUED';
  }),
  repeatUnawareOfVoid: caught('a repeat that denies a void', ({ calls }) => {
    const [, repeat] = calls.filter((call) => call.asked === 'numbers' && call.key === 'voided');
    const { ending } = defined(repeat) as { ending: { answer: { status: string }[] } };
    Object.assign(defined(ending.answer[0]), { status: 'ISSUED' });
  }),
  reservationIssuedByItself: caught(
    'a number confirmed by nobody',
    (draft) => void Object.assign(rowOf(draft, 'still reserved'), { status: 'issued' }),
  ),
  documentLost: caught('a lost document', ({ documents }) => void documents.shift()),
  documentCommittedAlone: caught(
    'a document without its number',
    (draft) => void Object.assign(rowOf(draft, 'unanswered document'), { documentId: null }),
  ),
  numberCommittedAlone: caught('a number without its document', ({ documents }) => void documents.pop()),
  importForgotten: caught('a lost import', ({ ledger }) => {
    for (const row of ledger) if (row.counter === 'OLD' && row.sequence <= 3) row.status = 'cancelled';
  }),
  importStoredInPart: caught(
    'half an import',
    ({ ledger }) =>
      void Object.assign(defined(ledger.find(({ status }) => status === 'imported')), {
        status: 'cancelled',
      }),
  ),
  numbersOutOfOrder: caught('numbers out of order', (draft) => {
    const [early, late] = [rowOf(draft, 'replacement'), rowOf(draft, 'plain')];
    const [first, last] = ['replacement', 'plain'].map(
      (key) => answeredCall(draft, 'numbers', { key }).ending,
    );
    Object.assign(early, { key: 'plain' });
    Object.assign(late, { key: 'replacement' });
    [defined(first).answer, defined(last).answer] = [defined(last).answer, defined(first).answer];
  }),
};
