import { createHash } from 'node:crypto';
import { createCatalog, type PinnedSkill, type SkillCatalog } from '../../src/catalog/catalog.ts';
import { toUri } from '../../src/catalog/manifest.ts';
import { toMediaType } from '../../src/catalog/mediatype.ts';
import { compareText, type Problem } from '../../src/problems.ts';
import type { JsonObject } from '../../src/text/jsonvalue.ts';

/** A skill for a test: its path, and what is not as usual. */
export interface MadeSkill {
  readonly path: string;
  readonly description?: string;
  readonly body?: string;
  /** Further fields of the frontmatter. */
  readonly fields?: JsonObject;
  /** Beside SKILL.md. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A catalog without a disk. */
export function makeCatalog(skills: readonly MadeSkill[], problems: readonly Problem[] = []): SkillCatalog {
  return createCatalog(skills.map(pinSkill), problems, (text) => createHash('sha256').update(text).digest('hex'));
}

/** As many skills as asked for: `skill-0000` and so on. */
export function makeMany(count: number, description?: string): SkillCatalog {
  return makeCatalog(
    Array.from({ length: count }, (_, index) => ({
      path: `skill-${String(index).padStart(4, '0')}`,
      ...(description === undefined ? {} : { description }),
    })),
  );
}

/** The SKILL.md of a made skill. */
export function toSkillMd({
  path,
  description = `What ${path} does.`,
  body = '# Steps\n',
  fields = {},
}: MadeSkill): string {
  const own = { name: path.split('/').at(-1) ?? '', description: JSON.stringify(description), ...fields };
  const lines = Object.entries(own).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
  );
  return `---\n${lines.join('')}---\n\n${body}`;
}

function pinSkill(skill: MadeSkill): PinnedSkill {
  const { path, description = `What ${path} does.`, fields = {}, files = {} } = skill;
  const all: Record<string, string | Uint8Array> = { 'SKILL.md': toSkillMd(skill), ...files };
  const pinned = Object.keys(all)
    .map((name) => ({ uri: toUri(path, name), content: all[name] ?? '' }))
    .sort((a, b) => compareText(a.uri, b.uri))
    .map(({ uri, content }) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const isText = typeof content === 'string';
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      return {
        resource: { uri, digest, size: bytes.length },
        file: { mimeType: toMediaType(uri, isText), bytes, isText },
      };
    });
  return {
    entry: {
      uri: toUri(path, 'SKILL.md'),
      frontmatter: { name: path.split('/').at(-1) ?? '', description, ...fields },
      resources: pinned.map(({ resource }) => resource),
    },
    files: pinned.map(({ file }) => file),
  };
}
