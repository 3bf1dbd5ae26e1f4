import { type Draft, HonestSystem } from './honest-system.js';

/** Names of the parts of the honest history, for sabotages to refer to. */
export const TRIPS = [
  'completed',
  'left',
  'left and abandoned',
  'never accepted',
  'cancelled by its rider',
  'first under way',
  'second under way',
  'asked by a busy driver',
  'of another cell',
  'listed',
  'nearest',
  'calm',
] as const;

/** A history in which every promise is kept, with every kind of answer. The same each time. */
export function honestHistory(): Draft {
  const system = new HonestSystem();
  for (const nowMs of [5n, 6n, 7n]) for (const gateway of [0, 1]) system.mint(gateway, nowMs);
  askForNumbers(system);
  const watched = rideAll(system);
  const calmFromMs = system.nowMs;
  const number = system.draw('issue', 'calm');
  const calm = system.request('calm');
  system.end('cancel', calm);
  const { calls, ledger, counters, documents, seals, trips, events, active } = system;
  const updates = watched.map((tripId) => system.updatesOf(tripId));
  const streams = { updates, offers: [calm], numbers: [number], facts: system.facts() };
  const stores = { ledger, counters, documents, seals, trips, events, active };
  return structuredClone({ ...stores, calls, streams, calmFromMs, callLimitMs: 1000 }) as Draft;
}

function askForNumbers(system: HonestSystem): void {
  const voided = system.draw('issue', 'voided');
  system.draw('issue', 'repeated');
  system.draw('issue', 'repeated');
  system.draw('issue', 'unanswered', { isLost: true });
  system.draw('batch', 'batch', { count: 3 });
  system.draw('batch', 'unanswered batch', { count: 3, isLost: true });
  system.draw('document', 'document');
  system.draw('document', 'unanswered document', { isLost: true });
  system.correct('void', voided);
  system.draw('issue', 'voided');
  system.replace(system.draw('issue', 'replaced'), 'replacement');
  system.correct('confirm', system.draw('reserve', 'confirmed'));
  system.correct('cancel', system.draw('reserve', 'cancelled'));
  system.draw('reserve', 'still reserved');
  system.import(3);
  system.import(3);
  system.borrow('plain', system.draw('issue', 'plain'));
}

/** @returns the trips that their riders watched */
function rideAll(system: HonestSystem): string[] {
  system.report('1', 'near');
  system.report('2', 'near');
  system.report('90', 'far');

  const completed = system.request('completed');
  for (const driver of ['10', '11', '12', '10']) system.accept(completed, 1, driver);
  system.request('completed');
  system.start(completed);
  system.end('complete', completed);
  system.accept(completed, 1, '13');
  system.request('completed');

  const left = system.request('left');
  system.accept(left, 1, '20');
  system.accept(left, 1, '21');
  system.leave(left);
  system.accept(left, 1, '20');
  system.accept(left, 1, '22');
  system.accept(left, 2, '23');
  system.start(left);
  system.end('complete', left);

  const abandoned = system.request('left and abandoned');
  system.accept(abandoned, 1, '30');
  system.leave(abandoned);
  system.accept(abandoned, 1, '31');
  system.end('cancel', abandoned);

  system.end('cancel', system.request('never accepted'));

  const cancelled = system.request('cancelled by its rider');
  system.accept(cancelled, 1, '40');
  system.accept(cancelled, 1, '41');
  system.end('cancel', cancelled);

  const first = system.request('first under way');
  system.accept(first, 1, '50');
  const other = system.request('asked by a busy driver');
  system.accept(other, 1, '50');
  system.end('cancel', other);
  system.accept(system.request('of another cell', { cell: 1 }), 1, '50');
  system.start(first);
  const second = system.request('second under way');
  system.accept(second, 1, '51');
  system.start(second);

  const listed = system.request('listed', { offered: ['60', '61'] });
  system.accept(listed, 1, '62');
  system.accept(listed, 1, '60');
  system.start(listed);
  system.end('complete', listed);

  const nearest = system.request('nearest', { offered: ['1', '2'], place: 'near' });
  system.accept(nearest, 1, '1');
  system.start(nearest);
  system.end('complete', nearest);
  return [left, listed];
}
