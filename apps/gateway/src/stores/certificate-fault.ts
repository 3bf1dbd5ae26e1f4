/** Why a TLS connection to a store fails, for the operator. */
export interface CertificateFault {
  /** Continues a sentence that begins with the store's name. Contains no address, because it is public. */
  readonly reason: string;
  readonly advice: string;
}

/** The first pattern that matches the error of Node.js or the server wins. */
const FAULTS: readonly (readonly [said: RegExp, fault: CertificateFault])[] = [
  [
    /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|SELF_SIGNED_CERT|unable to (?:verify|get)|self-signed certificate/,
    {
      reason: 'presents a certificate from an unknown authority',
      advice: 'Add the file of that authority to the URL: sslrootcert=/run/secrets/ca.crt.',
    },
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/,
    {
      reason: 'presents an expired certificate',
      advice: 'Renew it, or correct the clock of this machine.',
    },
  ],
  [
    /CERT_NOT_YET_VALID|not yet valid/,
    {
      reason: 'presents a certificate that is not yet valid',
      advice: 'Correct the clock of this machine or of the one that issued the certificate.',
    },
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/,
    {
      reason: 'presents a certificate for other host names',
      advice: 'Use one of them as the host in the URL, or issue a certificate for that host.',
    },
  ],
  [
    /alert (?:certificate required|bad certificate|unknown ca|handshake failure)|valid client certificate/i,
    {
      reason: 'requires a client certificate that it trusts',
      advice: 'Add its files to the URL: sslcert=… and sslkey=….',
    },
  ],
  [
    /does not support SSL|wrong version number/,
    { reason: 'does not offer TLS', advice: 'Enable it on the server, or correct host and port.' },
  ],
];

/** Finds the TLS fault behind an error; undefined if TLS is not the cause. */
export function certificateFaultOf(error: unknown): CertificateFault | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  const said = `${String(code)} ${String(message)}`;
  const [, fault] = FAULTS.find(([pattern]) => pattern.test(said)) ?? [];
  return fault ?? certificateFaultOf(cause);
}
