import type { Tsid } from '@solegate/client';
import { AnswerTable } from '../../parts/data-table.js';
import { count } from '../../parts/figures.js';
import { Moment } from '../../parts/moment.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';

type OfferStep = Result<'tripOfferSteps'>[number];

/** More drivers than this are counted instead of listed. */
const LISTED_MAX = 8;

interface TripAuditProps {
  readonly id: Tsid;
  /** A new value reads both tables again. */
  readonly eventCount: number;
}

/** For administrators: whom a trip was offered to, step by step, and how many drivers tried to accept. */
export function TripAudit({ id, eventCount }: TripAuditProps) {
  const steps = useAnswer((client) => client.tripOfferSteps({ tripId: id }), [id, eventCount]);
  const attempts = useAnswer((client) => client.tripAttempts({ tripId: id }), [id, eventCount], {
    everyMs: 3_000,
  });
  return (
    <>
      <section class="panel stack tight">
        <h2>Offers</h2>
        <AnswerTable
          of={steps}
          caption="Offers, step by step"
          columns={[
            { title: 'Epoch', cell: ({ offerEpoch }: OfferStep) => offerEpoch },
            { title: 'Offered to', cell: (step) => driversOf(step) },
            { title: 'At', cell: ({ offeredAt }) => <Moment iso={offeredAt} /> },
            { title: 'Until', cell: ({ expiresAt }) => <Moment iso={expiresAt} /> },
          ]}
          keyOf={({ revision }) => revision}
          empty="No offers are recorded."
        />
      </section>
      <section class="panel stack tight">
        <h2>Accept attempts</h2>
        <AnswerTable
          of={attempts}
          caption="Accept attempts by offer and result"
          columns={[
            { title: 'Epoch', cell: (attempt) => attempt.offerEpoch },
            { title: 'Result', cell: (attempt) => attempt.outcome.toLowerCase().replaceAll('_', ' ') },
            { title: 'Count', cell: (attempt) => count(attempt.count), isNumber: true },
          ]}
          keyOf={({ offerEpoch, outcome }) => `${offerEpoch} ${outcome}`}
          empty="None counted yet."
        />
      </section>
    </>
  );
}

function driversOf({ driverIds }: OfferStep): string {
  if (driverIds === null) return 'every driver';
  if (driverIds.length === 0) return 'nobody near';
  if (driverIds.length > LISTED_MAX) return `${count(driverIds.length)} drivers`;
  return driverIds.join(', ');
}
