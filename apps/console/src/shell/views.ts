import type { Role } from '../session/identity.js';

export interface ViewLink {
  readonly path: string;
  readonly name: string;
  /** Roles that can use it; any role if absent. */
  readonly roles?: readonly Role[];
  /** Whether only a gateway in demo mode has it. Default: false. */
  readonly isDemo?: boolean;
}

const READERS: readonly Role[] = ['clerk', 'auditor', 'admin'];

/** The navigation; views that the caller's roles cannot use are hidden. */
export const VIEWS: readonly ViewLink[] = [
  { path: '/', name: 'Overview' },
  { path: '/load', name: 'Load', roles: ['clerk', 'admin'], isDemo: true },
  { path: '/break', name: 'Break it', roles: ['admin'], isDemo: true },
  { path: '/trips', name: 'Trips', roles: ['rider', 'driver', 'admin'] },
  { path: '/nodes', name: 'Nodes' },
  { path: '/ledger', name: 'Ledger', roles: READERS },
  { path: '/counters', name: 'Counters', roles: READERS },
  { path: '/formats', name: 'Formats', roles: READERS },
  { path: '/codes', name: 'Codes', roles: READERS },
  { path: '/api', name: 'API' },
];
