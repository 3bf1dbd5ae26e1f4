/** Why TLS to a store does not work, for whoever runs the gateway. */
export interface CertificateFault {
  /** Follows the name of the store. Names no address: anybody may read it. */
  readonly reason: string;
  readonly advice: string;
}

/** The first that fits what Node or the server said. */
const FAULTS: readonly (readonly [said: RegExp, fault: CertificateFault])[] = [
  [
    /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|SELF_SIGNED_CERT|unable to (?:verify|get)|self-signed certificate/,
    {
      reason: 'shows a certificate of an authority that is not known here',
      advice: 'Name the file of that authority in the URL: sslrootcert=/run/secrets/ca.crt.',
    },
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/,
    {
      reason: 'shows a certificate that has expired',
      advice: 'Renew it, or correct the clock of this machine.',
    },
  ],
  [
    /CERT_NOT_YET_VALID|not yet valid/,
    {
      reason: 'shows a certificate that is not yet valid',
      advice: 'Correct the clock of this machine or of the one that made the certificate.',
    },
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/,
    {
      reason: 'shows a certificate for other names',
      advice: 'Use one of them as the host in the URL, or make a certificate for that host.',
    },
  ],
  [
    /alert (?:certificate required|bad certificate|unknown ca|handshake failure)|valid client certificate/i,
    {
      reason: 'asks for a certificate that it knows',
      advice: 'Name the files of one in the URL: sslcert=… and sslkey=….',
    },
  ],
  [
    /does not support SSL|wrong version number/,
    { reason: 'speaks no TLS there', advice: 'Switch it on at the server, or correct host and port.' },
  ],
];

/** Undefined: TLS is not what is wrong. */
export function certificateFaultOf(error: unknown): CertificateFault | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  const said = `${String(code)} ${String(message)}`;
  const [, fault] = FAULTS.find(([pattern]) => pattern.test(said)) ?? [];
  return fault ?? certificateFaultOf(cause);
}
