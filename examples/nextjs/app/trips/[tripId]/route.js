import { openTrips } from '../../../lib/trips.js';

/** A rider asks for a driver: `PUT /trips/1` with `{ "riderId": "7" }`. */
export async function PUT(request, { params }) {
  const trips = await openTrips();
  const { riderId } = await request.json();
  const trip = await trips.requestTrip({ tripId: BigInt((await params).tripId), riderId: BigInt(riderId) });
  return Response.json({ status: trip.status, epoch: trip.epoch });
}
