import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '../processes/data-directory.js';

const run = promisify(execFile);

/** One certificate and its key, as files for a server and as strings for a client. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for one test, made with the openssl program; `await using` removes its files. */
export class Authority implements AsyncDisposable {
  readonly #directory: TemporaryDirectory;
  #count = 0;

  private constructor(
    directory: TemporaryDirectory,
    readonly certFile: string,
    readonly cert: string,
  ) {
    this.#directory = directory;
  }

  static async make(): Promise<Authority> {
    const directory = await temporaryDirectory();
    const [key, cert] = [join(directory.path, 'ca.key'), join(directory.path, 'ca.crt')];
    const subject = ['-subj', '/CN=Solegate test authority'];
    await run('openssl', [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' '),
      ...subject,
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    await chmod(cert, 0o644);
    return new Authority(directory, cert, await readFile(cert, 'utf8'));
  }

  /** @param names such as `DNS:localhost` @param days validity; negative: already expired */
  async certify(names: string, days = 2): Promise<Certificate> {
    this.#count += 1;
    const base = join(this.#directory.path, String(this.#count));
    const [keyFile, certFile, request, extensions] = ['key', 'crt', 'csr', 'ext'].map(
      (ending) => `${base}.${ending}`,
    ) as [string, string, string, string];
    await writeFile(extensions, `subjectAltName=${names}\n`);
    await run('openssl', [
      ...'req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'.split(' '),
      '-subj',
      '/CN=solegate',
      '-keyout',
      keyFile,
      '-out',
      request,
    ]);
    const authority = [
      '-CA',
      this.certFile,
      '-CAkey',
      join(this.#directory.path, 'ca.key'),
      '-CAcreateserial',
    ];
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      request,
      ...authority,
      '-days',
      String(days),
      '-extfile',
      extensions,
      '-out',
      certFile,
    ]);
    await Promise.all([chmod(keyFile, 0o644), chmod(certFile, 0o644)]);
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    return { certFile, keyFile, cert, key };
  }

  /** Arguments for a redis-server with TLS on this port. `asksClients` requires client certificates of ours. */
  redisArguments(port: number, { certFile, keyFile }: Certificate, asksClients = false): string[] {
    const settings = {
      port,
      'auth-clients': asksClients ? 'yes' : 'no',
      'ca-cert-file': this.certFile,
      'cert-file': certFile,
      'key-file': keyFile,
    };
    return Object.entries(settings).flatMap(([name, value]) => [`--tls-${name}`, String(value)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory.remove();
  }
}
