import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

const RSA_BITS_MIN = 2_048;
const TYPE_OF_ALGORITHM: ReadonlyMap<string, string> = new Map([
  ['RS256', 'rsa'],
  ['EdDSA', 'ed25519'],
]);

/** Reads a PEM key, whose line breaks can be written as `\n`. @throws if it is no key */
export function readPublicKey(pem: string): KeyObject {
  return createPublicKey(pem.replaceAll('\\n', '\n'));
}

/** Returns why a key cannot verify tokens of an algorithm, or undefined if it can. */
export function keyProblem(key: KeyObject, algorithm: string): string | undefined {
  const wanted = TYPE_OF_ALGORITHM.get(algorithm);
  const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = key;
  // HS256 has a secret instead, which is a fault of its own.
  if (wanted === undefined) return undefined;
  if (type !== wanted) return `${algorithm} needs a key of type ${wanted}, but this one is ${type}`;
  if (type !== 'rsa' || modulusLength >= RSA_BITS_MIN) return undefined;
  return `${algorithm} needs a key of at least ${RSA_BITS_MIN} bits, but this one has ${modulusLength}`;
}

/** Like `keyProblem`, for a key of a JWKS. */
export function jwkProblem(jwk: JsonWebKey, algorithm: string): string | undefined {
  try {
    return keyProblem(createPublicKey({ key: jwk, format: 'jwk' }), algorithm);
  } catch (error) {
    return `a key cannot be read (${String(error)})`;
  }
}
