import { computed, signal } from '@preact/signals';

const ROLES = ['rider', 'driver', 'clerk', 'auditor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The users that a demo page can act as, besides everyone at once. */
export const DEMO_USERS = [
  'admin-1',
  'clerk-2',
  'auditor-3',
  'rider-4',
  'driver-1',
  'driver-2',
  'driver-3',
] as const;

const TOKEN_KEY = 'solegate-token';
const DEMO_USER_KEY = 'solegate-demo-user';

/** Whether any user can be chosen; otherwise a token identifies the caller. The gateway writes this into the page. */
export const isDemo =
  document.querySelector<HTMLMetaElement>('meta[name="solegate-identity"]')?.content === 'demo';

const chosenDemoUser = signal(sessionStorage.getItem(DEMO_USER_KEY) ?? '');
const pastedToken = signal(sessionStorage.getItem(TOKEN_KEY) ?? '');

/** The chosen user in demo mode, such as `driver-1`; empty means everyone at once. */
export const demoUser = computed(() => chosenDemoUser.value);

/** The bearer token of this tab, kept until the tab closes; empty if there is none yet. */
export const token = computed(() => pastedToken.value);

/** Whether the page has a caller to send requests as. */
export const isKnown = computed(() => isDemo || token.value !== '');

/** The caller's roles. The gateway decides; the page only hides what would be refused. */
export const roles = computed<ReadonlySet<Role>>(() => {
  if (!isDemo) return rolesOf(token.value);
  const [role = ''] = demoUser.value.split('-');
  return new Set(role === '' ? ROLES : ROLES.filter((known) => known === role));
});

export function chooseDemoUser(user: string): void {
  sessionStorage.setItem(DEMO_USER_KEY, user);
  chosenDemoUser.value = user;
}

/** @returns why the text is not a valid token, or undefined if it was accepted */
export function pasteToken(text: string): string | undefined {
  const given = text.trim().replace(/^Bearer\s+/i, '');
  const claims = claimsOf(given);
  if (claims === undefined) return 'This is not a JSON Web Token: three parts separated by dots.';
  if (typeof claims.exp === 'number' && claims.exp * 1_000 <= Date.now()) {
    return 'This token has expired. Get a new one.';
  }
  sessionStorage.setItem(TOKEN_KEY, given);
  pastedToken.value = given;
  return undefined;
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  pastedToken.value = '';
}

/** The headers that identify the caller, for requests made without the client. */
export function credentials(): Record<string, string> {
  if (!isDemo) return { authorization: `Bearer ${token.value}` };
  return demoUser.value === '' ? {} : { 'x-demo-user': demoUser.value };
}

/** Display name of the caller. */
export const callerName = computed(() => {
  if (isDemo) return demoUser.value === '' ? 'everyone' : demoUser.value;
  const subject = claimsOf(token.value)?.sub;
  return typeof subject === 'string' ? `user ${subject}` : 'unknown user';
});

function rolesOf(text: string): ReadonlySet<Role> {
  const claimed = claimsOf(text)?.roles;
  return new Set(Array.isArray(claimed) ? ROLES.filter((role) => claimed.includes(role)) : []);
}

/** The claims of a token. The gateway verifies the signature. */
function claimsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = text.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
