import { PROFILES } from '../../src/lint/importers.ts';
import type { CheckCode } from '../../src/verify/checks.ts';
import { judgeExpected } from '../../src/verify/expected.ts';
import { judgeImport } from '../../src/verify/importer.ts';
import type { VerifyOptions } from '../../src/verify/verification.ts';
import { type Answered, type Asked, toSkillMd, type Wrong } from './faulty.ts';

/** A server with one fault, and how it is verified. */
export interface Row extends Wrong {
  readonly options?: Partial<VerifyOptions>;
}

// biome-ignore lint/suspicious/noExplicitAny: what is broken on purpose has no type
type Json = any;

const GUIDE = 'skill://alpha/references/guide.md';
const ALPHA = 'skill://alpha/SKILL.md';
const EXTENSION = 'io.modelcontextprotocol/skills';
const failed: Answered = { error: { code: -32603, message: 'it broke' } };

/** Answers one method otherwise. */
function on(method: string, change: (result: Json, asked: Asked) => Json): Pick<Wrong, 'answer'> {
  return {
    answer: (asked, usual) => {
      const answer = usual();
      if (asked.method !== method || 'error' in answer) return answer;
      return { result: change(answer.result, asked) };
    },
  };
}

/** Changes the content of one file as it is read. */
function onContent(change: (content: Json, asked: Asked) => Json): Pick<Wrong, 'answer'> {
  return on('resources/read', (result, asked) =>
    asked.params.uri === GUIDE ? { ...result, contents: [change(result.contents[0], asked)] } : result,
  );
}

/** Another frontmatter of the first skill, as YAML and as JSON. */
function withFrontmatter(yaml: string, frontmatter: Json): Wrong {
  const fields = { name: 'alpha', description: 'The first.', ...frontmatter };
  const own = ['name', 'description'].filter((key) => !(key in frontmatter)).map((key) => `${key}: ${fields[key]}\n`);
  return { files: (files) => void files.set(ALPHA, toSkillMd(`${own.join('')}${yaml}`)), frontmatter: fields };
}

/** Changes the files of the first entry, which then are not those of the directories. */
function withResources(change: (resources: Json[]) => Json): Wrong {
  return {
    withoutDirectories: true,
    entries: ([first, ...others]) => [{ ...first, resources: change(first.resources) }, ...others],
  };
}

function onDirectory(uri: string, change: (children: Json[]) => Json): Pick<Wrong, 'answer'> {
  return on('resources/directory/read', (result, { params }) =>
    params.uri === uri ? { ...result, resources: change(result.resources) } : result,
  );
}

/** Answers where an error is right. */
function answering(method: string, uri: string, result: Json): Pick<Wrong, 'answer'> {
  return {
    answer: ({ method: asked, params, era }, usual) => {
      if (asked !== method || params.uri !== uri) return usual();
      const envelope = era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
      return { result: { ...result, ...envelope } };
    },
  };
}

/** For each code a server that has this fault and no other. */
export const WRONGS: Readonly<Record<CheckCode, Row>> = {
  'extension-missing': { capabilities: () => ({ resources: {} }), withoutDirectories: true },
  'extension-settings': {
    capabilities: () => ({ resources: {}, extensions: { [EXTENSION]: { directoryRead: 'yes' } } }),
    withoutDirectories: true,
  },
  'extension-experimental': { capabilities: (usual) => ({ ...usual, experimental: { [EXTENSION]: {} } }) },
  'resources-undeclared': { capabilities: ({ extensions }) => ({ extensions }) },
  'era-differs': {
    capabilities: (usual, era) => (era === 'modern' ? usual : { resources: {} }),
    withoutDirectories: true,
  },

  'list-failed': { answer: ({ method }, usual) => (method === 'skills/list' ? failed : usual()) },
  'list-shape': on('skills/list', (result) => ({ ...result, skills: {} })),
  'no-skills': { entries: () => [] },
  'cursor-repeats': on('skills/list', (result, { params }) =>
    params.cursor === 'at-2' ? { ...result, nextCursor: 'at-1' } : result,
  ),
  'cursor-endless': {
    pageSize: 3,
    answer: ({ method, params, era }, usual, server) => {
      if (method !== 'skills/list') return usual();
      const { cursor = 'more-0' } = params;
      if (!/^more-\d+$/.test(cursor)) return usual();
      const page = server.answerUsual(method, {}, era);
      if ('error' in page) return page;
      const skills = cursor === 'more-0' ? page.result.skills : [];
      return { result: { ...page.result, skills, nextCursor: `more-${Number(cursor.slice(5)) + 1}` } };
    },
  },
  'cursor-foreign-accepted': {
    answer: (asked, usual, server) => {
      const answer = usual();
      return asked.method === 'skills/list' && 'error' in answer
        ? server.answerUsual('skills/list', {}, asked.era)
        : answer;
    },
  },
  'page-large': on('skills/list', (result) => ({ ...result, note: 'x'.repeat(1_100_000) })),
  'entry-twice': { entries: ([first, ...others]) => [first, first, ...others], pageSize: 2 },
  'listing-unsorted': { entries: (entries) => entries.reverse() },
  'result-type': on('skills/get', ({ resultType: _, ...result }) => result),
  'cache-fields': on('resources/read', (result, { era }) => (era === 'modern' ? { ...result, ttlMs: '1' } : result)),
  'cache-scope-differs': on('skills/list', (result, { params, era }) =>
    era === 'modern' && params.cursor !== undefined ? { ...result, cacheScope: 'public' } : result,
  ),
  'not-verified': { options: { maxSkills: 1 } },

  'entry-shape': { entries: ([first, ...others]) => [{ ...first, version: '1.0' }, ...others] },
  'uri-form': {
    files: (files) => {
      for (const [uri, content] of [...files].filter(([each]) => each.startsWith('skill://alpha/'))) {
        files.delete(uri);
        files.set(uri.replace('alpha', 'aleph'), content);
      }
    },
    frontmatter: { name: 'alpha', description: 'The first.', metadata: { team: 'a' } },
  },
  'name-invalid': {
    files: (files) => {
      files.set('skill://Alpha_1/SKILL.md', toSkillMd('name: Alpha_1\ndescription: The first.\n'));
    },
    frontmatter: { name: 'Alpha_1', description: 'The first.' },
    entries: ([first, second, ...others]) => [
      first,
      { ...second, frontmatter: { name: 'alpha', description: 'The first.', metadata: { team: 'a' } } },
      ...others,
    ],
  },
  'description-invalid': withFrontmatter('description: ""\n', { description: '' }),
  'compatibility-length': withFrontmatter(`compatibility: ${'x'.repeat(501)}\n`, { compatibility: 'x'.repeat(501) }),
  'license-invalid': withFrontmatter('license: 7\n', { license: 7 }),
  'allowed-tools-invalid': withFrontmatter('allowed-tools:\n  - Read\n', { 'allowed-tools': ['Read'] }),
  'metadata-invalid': withFrontmatter('metadata:\n  level: 3\n', { metadata: { level: 3 } }),
  'metadata-reserved': withFrontmatter('metadata:\n  io.modelcontextprotocol/x: "1"\n', {
    metadata: { 'io.modelcontextprotocol/x': '1' },
  }),
  'resources-empty': withResources(() => []),
  'skill-file-missing': withResources((resources) => resources.filter(({ uri }) => uri !== ALPHA)),
  'file-outside': withResources((resources) => [...resources, { ...resources[0], uri: 'skill://group/beta/SKILL.md' }]),
  'file-twice': withResources((resources) => [...resources, resources[1]]),
  'file-dot-segment': withResources((resources) => [
    ...resources,
    { ...resources[0], uri: 'skill://alpha/%2e%2e/secret' },
  ]),
  'digest-form': withResources(([first, ...others]) => [
    first,
    ...others.map((file) => ({ ...file, digest: file.digest.toUpperCase() })),
  ]),
  'size-form': withResources(([first, ...others]) => [
    first,
    ...others.map((file) => ({ ...file, size: String(file.size) })),
  ]),
  'too-many-files': withResources((resources) => [
    ...resources,
    ...Array.from({ length: 512 }, (_, at) => ({ ...resources[0], uri: `skill://alpha/${at}` })),
  ]),
  'too-many-bytes': withResources(([first, ...others]) => [{ ...first, size: 16_777_216 }, ...others]),
  'nested-skill': { files: (files) => void files.set('skill://alpha/inner/SKILL.md', 'anything') },
  dynamic: withResources(() => 'dynamic'),

  'get-failed': {
    answer: ({ method, params }, usual) => (method === 'skills/get' && params.uri === ALPHA ? failed : usual()),
  },
  'get-differs': on('skills/get', (result, { params }) =>
    params.uri === ALPHA
      ? { ...result, skill: { ...result.skill, frontmatter: { name: 'alpha', description: 'Another.' } } }
      : result,
  ),
  'get-unlisted': { options: { unlisted: ['skill://hidden/SKILL.md'] } },
  'get-wrong-uri': answering('skills/get', 'skill://alpha', { skill: {} }),

  'read-failed': {
    answer: ({ method, params }, usual) => (method === 'resources/read' && params.uri === GUIDE ? failed : usual()),
  },
  'read-count': on('resources/read', (result, { params }) =>
    params.uri === GUIDE ? { ...result, contents: [] } : result,
  ),
  'read-uri': onContent((content) => ({ ...content, uri: ALPHA })),
  'read-encoding': onContent((content) => ({ ...content, blob: 'AA==' })),
  'read-unstable': onContent((content, { count }) => ({ ...content, text: `# Guide ${count}\n` })),
  'read-wrong-uri': answering('resources/read', 'skill://alpha', { contents: [] }),
  'size-differs': withResources((resources) =>
    resources.map((file) => (file.uri === GUIDE ? { ...file, size: file.size + 1 } : file)),
  ),
  'digest-differs': onContent((content) => ({ ...content, text: '# Guido\n' })),
  'mime-skill-file': on('resources/read', (result, { params }) =>
    params.uri === ALPHA ? { ...result, contents: [{ ...result.contents[0], mimeType: 'text/plain' }] } : result,
  ),
  'changed-during-run': {
    answer: ({ method, params }, usual, server) => {
      if (method === 'resources/read' && params.uri === GUIDE && server.files.get(GUIDE) === '# Guide\n') {
        server.files.set(GUIDE, '# Another guide\n');
        server.makeEntries();
      }
      return usual();
    },
  },

  'frontmatter-unreadable': withFrontmatterOnly('name: alpha\ndescription: [The first.\n'),
  'frontmatter-differs': withFrontmatterOnly('name: alpha\ndescription: The first.\nversion: "2"\n'),
  'frontmatter-ambiguous': withFrontmatter('date: 2026-10-12\n', { date: '2026-10-12' }),

  'directory-failed': {
    answer: ({ method, params }, usual) =>
      method === 'resources/directory/read' && params.uri === 'skill://alpha/references' ? failed : usual(),
  },
  'directory-missing': onDirectory('skill://alpha/references', ([, ...others]) => others),
  'directory-extra': onDirectory('skill://alpha/references', (children) => [
    ...children,
    { uri: `${GUIDE}.orig`, name: 'x' },
  ]),
  'directory-recursive': onDirectory('skill://alpha', (children) => [...children, { uri: GUIDE, name: 'x' }]),
  'directory-type': onDirectory('skill://alpha', (children) =>
    children.map((child) => ({ ...child, mimeType: 'text/plain' })),
  ),
  'directory-size': onDirectory('skill://alpha/references', (children) =>
    children.map((child) => (child.uri === GUIDE ? { ...child, size: 1 } : child)),
  ),
  'directory-wrong-uri': answering('resources/directory/read', ALPHA, { resources: [] }),
  'directory-undeclared-answers': {
    withoutDirectories: true,
    ...answering('resources/directory/read', 'skill://alpha', { resources: [] }),
  },

  'lock-differs': {
    options: {
      judge: ({ skills }) =>
        judgeExpected(
          skills.map(({ skill }) => skill),
          [],
        ),
    },
  },
  'host-limit': { options: { judge: ({ skills }) => judgeImport(skills, { ...PROFILES.openai, skills: 2 }) } },
};

/** Another frontmatter in SKILL.md than in the entry. */
function withFrontmatterOnly(yaml: string): Wrong {
  return {
    files: (files) => void files.set(ALPHA, toSkillMd(yaml)),
    frontmatter: { name: 'alpha', description: 'The first.' },
  };
}
