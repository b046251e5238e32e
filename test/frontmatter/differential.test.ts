import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import type { JsonValue } from '../../src/text/jsonvalue.ts';
import { CASES } from './cases.ts';
import { generateFrontmatters } from './generate.ts';
import { type PyYaml, requirePyYaml, startPyYaml } from './pyyaml.ts';
import { loadReaders, type Reader } from './readers.ts';
import { readVectors, toCanonical } from './vectors.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_129);
const COUNT = Number(process.env['COUNT'] ?? 20_000);

/** A text that was accepted, cut out of its file in one way, and the value that was published. */
interface Cut {
  readonly text: string;
  readonly published: string;
}

const installed = requirePyYaml();

describe.skipIf(!installed)('whatever is accepted reads the same in every reader at hand', { timeout: 300_000 }, () => {
  let readers: ReadonlyMap<string, Reader>;
  let python: PyYaml;

  beforeAll(async () => {
    readers = await loadReaders();
    python = startPyYaml();
  });
  afterAll(() => python.close());

  /** Every reader that reads a cut otherwise than it was published, with what it reads. */
  async function compare(
    cuts: readonly Cut[],
  ): Promise<readonly (readonly [text: string, published: string, reader: string, read: string])[]> {
    const wrong: [string, string, string, string][] = [];
    for (let start = 0; start < cuts.length; start += 200) {
      const part = cuts.slice(start, start + 200);
      // Python reads while this process does.
      const asked = python.read(part.map(({ text }) => text));
      const readings = part.map(({ text }) => [...readers].map(([name, read]) => [name, attempt(read, text)] as const));
      const answers = await asked;
      for (const [index, { text, published }] of part.entries()) {
        const answer = answers[index]!;
        const python = ['PyYAML', answer.error ?? toCanonical(answer.value as JsonValue)] as const;
        for (const [name, read] of [python, ...readings[index]!]) {
          if (read !== published) wrong.push([text, published, name, read]);
        }
      }
    }
    return wrong;
  }

  /** Lines and then characters are taken away as long as some reader still differs. */
  async function shrink(text: string): Promise<string> {
    let best = text;
    for (const unit of [/(?<=\n)/, /(?=[\s\S])/u]) {
      for (let index = 0; index < best.split(unit).length; ) {
        const parts = best.split(unit);
        const smaller = [...parts.slice(0, index), ...parts.slice(index + 1)].join('');
        const cuts = toCuts(smaller);
        if (cuts.length > 0 && (await compare(cuts)).length > 0) best = smaller;
        else index += 1;
      }
    }
    return best;
  }

  async function expectAgreement(name: string, texts: Iterable<string>): Promise<void> {
    const cuts = new Map<string, Cut>();
    let judged = 0;
    for (const text of texts) {
      judged += 1;
      for (const cut of toCuts(text)) cuts.set(cut.text, cut);
    }
    const wrong = await compare([...cuts.values()]);
    console.log(
      `${name}: ${judged} texts, ${cuts.size} accepted readings compared in ${readers.size + 1} readers, ${wrong.length} differ`,
    );
    const [first] = wrong;
    if (first !== undefined) console.log(`shrunk: ${JSON.stringify(await shrink(first[0]))}`);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(cuts.size).toBeGreaterThan(0);
  }

  test('the vectors', async () => {
    await expectAgreement(
      'vectors',
      readVectors().map(({ text }) => text),
    );
  });

  test('the cases', async () => {
    await expectAgreement(
      'cases',
      CASES.map(({ file }) => file.replace(/^---\r?\n|\r?\n---[\s\S]*$/g, '')),
    );
  });

  test(`${COUNT} random frontmatters of seed ${SEED}`, async () => {
    const next = generateFrontmatters(SEED);
    await expectAgreement(`seed ${SEED}`, Array.from({ length: COUNT }, next));
  });
});

/** The ways in which hosts cut the frontmatter out of the file, for each kind of line end under which it is accepted. */
function toCuts(text: string): readonly Cut[] {
  return ['\n', '\r\n'].flatMap((feed) => {
    const lines = text.replace(/\r*\n?$/, '').replace(/\r?\n/g, feed);
    const { frontmatter } = readFrontmatter(`---${feed}${lines}${feed}---${feed}`);
    if (frontmatter === undefined || /^---/m.test(lines)) return [];
    const published = toCanonical(frontmatter);
    return [
      { text: lines + feed, published },
      { text: lines, published },
    ];
  });
}

function attempt(read: Reader, text: string): string {
  try {
    return toCanonical(read(text) as JsonValue);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
  }
}
