import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An administrator at a shell: stops at the first command that fails. */
export class Shell {
  constructor(
    private readonly account: { readonly uid?: number; readonly gid?: number },
    readonly env: Record<string, string>,
  ) {}

  /** What it printed. @throws with what it wrote to its standard error */
  async run(commands: string): Promise<string> {
    // A server that is started here keeps the pipes of its starter.
    const script = `set -e\n{\n${commands}\n}`;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], {
      ...this.account,
      env: this.env,
      cwd: '/',
    });
    return stdout.trim();
  }
}
