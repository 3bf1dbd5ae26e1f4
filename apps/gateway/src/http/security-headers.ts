/**
 * Headers for responses that are not pages: no framing, no content sniffing, no access from other sites' pages, and TLS
 * only for a year after the first use of TLS. These are Helmet's headers, without those for pages and plug-ins.
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
