import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '../processes/data-directory.js';

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';

/** Runs a command of openssl, without spaces in its words, in a directory. */
async function openssl(cwd: string, command: string): Promise<void> {
  await promisify(execFile)('openssl', command.split(' '), { cwd });
}

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
    const { path } = directory;
    await openssl(path, `req -x509 ${NEW_KEY} -days 2 -subj /CN=Authority -keyout ca.key -out ca.crt`);
    const certFile = join(path, 'ca.crt');
    await chmod(certFile, 0o644);
    return new Authority(directory, certFile, await readFile(certFile, 'utf8'));
  }

  /** @param names such as `DNS:localhost` @param days validity; negative: already expired */
  async certify(names: string, days = 2): Promise<Certificate> {
    this.#count += 1;
    const { path } = this.#directory;
    const name = String(this.#count);
    await writeFile(join(path, `${name}.ext`), `subjectAltName=${names}\n`);
    await openssl(path, `req ${NEW_KEY} -subj /CN=solegate -keyout ${name}.key -out ${name}.csr`);
    const authority = `-CA ca.crt -CAkey ca.key -CAcreateserial -days ${days}`;
    await openssl(path, `x509 -req -in ${name}.csr ${authority} -extfile ${name}.ext -out ${name}.crt`);
    const [keyFile, certFile] = [join(path, `${name}.key`), join(path, `${name}.crt`)];
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
