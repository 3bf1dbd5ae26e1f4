import { openTrips } from '../../../../lib/trips.js';

/** A driver accepts: `POST /trips/1/accept` with `{ "driverId": "501", "offerEpoch": 1 }`. One of them has the trip. */
export async function POST(request, { params }) {
  const trips = await openTrips();
  const { driverId, offerEpoch } = await request.json();
  const tripId = BigInt((await params).tripId);
  const { kind } = await trips.acceptTrip({ tripId, driverId: BigInt(driverId), offerEpoch });
  return Response.json({ kind }, { status: kind === 'ACCEPTED' ? 200 : 409 });
}
