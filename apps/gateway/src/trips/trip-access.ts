import type { Trip } from '@solegate/trip-reservation';
import { GatewayError } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';

/**
 * Who may see a trip: its rider, the driver who has it, every driver whom its offer reaches or reached, and
 * administrators. A role alone opens no trip.
 */
export function maySeeTrip(trip: Trip, { subjectId, roles }: Identity): boolean {
  if (roles.has('admin')) return true;
  if (roles.has('rider') && trip.riderId === subjectId) return true;
  if (!roles.has('driver')) return false;
  return trip.driverId === subjectId || trip.offeredTo === 'EVERYONE' || trip.offeredTo.includes(subjectId);
}

export function foreignTrip(): GatewayError {
  return new GatewayError({
    code: 'FORBIDDEN',
    reason: 'NOT_YOUR_TRIP',
    message: 'This trip belongs to other people; use a trip of your own.',
  });
}
