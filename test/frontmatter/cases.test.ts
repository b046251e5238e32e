import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import { CASES } from './cases.ts';
import { showProblem } from './show.ts';

describe('troubles that people have elsewhere', () => {
  test.each(CASES.map((one) => [one.number, one.title, one] as const))(
    '%d: %s',
    (_, __, { file, frontmatter, problems }) => {
      const read = readFrontmatter(file);
      expect({ frontmatter: read.frontmatter, problems: read.problems.map(showProblem) }).toEqual({
        frontmatter,
        problems,
      });
      expect(readFrontmatter(Buffer.from(file))).toEqual(read);
    },
  );
});
