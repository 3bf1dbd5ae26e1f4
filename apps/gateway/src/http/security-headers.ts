/**
 * For answers that no browser shows as a page: none may be framed, guessed at, or read by another site's page, and the gateway
 * is asked over TLS for a year once it was. What Helmet sends, without what it says about pages and plug-ins.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
