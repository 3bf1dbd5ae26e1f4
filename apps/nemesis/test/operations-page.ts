import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The commands of a page in docs/operations, by the names that its comments give them: `<!-- drill: base backup -->`. */
export class OperationsPage {
  readonly #blocks: ReadonlyMap<string, string>;
  readonly #asked = new Set<string>();

  private constructor(blocks: ReadonlyMap<string, string>) {
    this.#blocks = blocks;
  }

  static async read(name: string): Promise<OperationsPage> {
    const text = await readFile(new URL(`../../../docs/operations/${name}`, import.meta.url), 'utf8');
    const found = text.matchAll(/<!-- drill: (.+?) -->\n\s*```\w*\n(.*?)\n\s*```/gs);
    return new OperationsPage(
      new Map([...found].map(([, title = '', block = '']) => [title, unindented(block)])),
    );
  }

  /** As it stands on the page. @throws when the page has no such command */
  command(title: string): string {
    const block = this.#blocks.get(title);
    if (block === undefined) throw new Error(`The page has no command "${title}"`);
    this.#asked.add(title);
    return block;
  }

  /** What no drill has followed. */
  get unfollowed(): string[] {
    return [...this.#blocks.keys()].filter((title) => !this.#asked.has(title));
  }
}

/** The blocks of a list are indented with it. */
function unindented(block: string): string {
  const [margin = ''] = /^ */.exec(block) ?? [];
  return block.replaceAll(new RegExp(`^${margin}`, 'gm'), '');
}

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
