import { readFile } from 'node:fs/promises';

/** The commands of a page in docs/operations, by the names that its comments give them: `<!-- drill: base backup -->`. */
export class OperationsPage {
  readonly #blocks: ReadonlyMap<string, string>;
  readonly #asked = new Set<string>();

  private constructor(blocks: ReadonlyMap<string, string>) {
    this.#blocks = blocks;
  }

  static async read(name: string): Promise<OperationsPage> {
    const text = await readFile(new URL(`../../../../docs/operations/${name}`, import.meta.url), 'utf8');
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
