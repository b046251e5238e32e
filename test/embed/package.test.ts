import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTree } from '../tree.ts';
import { SKILLS } from './hosts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');
const execute = promisify(execFile);

let folder: string;
let tarball: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  // dist is there already, and other tests are using it
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
  });
  const packed = JSON.parse(output.toString()) as Record<string, { filename: string }>;
  tarball = join(folder, Object.values(packed)[0]?.filename ?? '');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  test('pleases publint --strict', async () => {
    const bytes = readFileSync(tarball);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    expect((await publint({ pack: { tarball: buffer as ArrayBuffer }, strict: true })).messages).toEqual([]);
  });

  test('pleases attw --profile esm-only', async () => {
    const { stdout } = await execute(join(BIN, 'attw'), [tarball, '--profile', 'esm-only', '--format', 'json']);
    const { problems, analysis } = JSON.parse(stdout) as {
      problems: Record<string, { resolutionKind: string }[]>;
      analysis: { entrypoints: object };
    };
    // the report lists what the profile leaves out of its verdict
    const kinds = new Set(
      Object.values(problems).flatMap((found) => found.map(({ resolutionKind }) => resolutionKind)),
    );
    expect([[...kinds].sort(), Object.keys(analysis.entrypoints)]).toEqual([
      ['node10', 'node16-cjs'],
      ['.', './server', './sdk', './catalog', './client', './client/stdio', './package.json'],
    ]);
  });

  test('has types that need nothing of Node', async () => {
    const names = ['index', 'catalog/bundle', 'mcp/sdk', 'mcp/server', 'client/index', 'client/spawn'];
    const entries = names.map((name) => `dist/${name}.d.ts`);
    const flags = ['--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', '', '--skipLibCheck', 'false'];
    const args = [...flags, '--strict', '--ignoreConfig', ...entries];
    const checked = await execute(join(BIN, 'tsc'), args, { cwd: ROOT }).catch((error) => error);
    expect(checked.stdout).toBe('');
  });

  test.each([
    ['mcp-server-skills', 'loadSkills', 'index'],
    ['mcp-server-skills', 'readFrontmatter', 'index'],
    ['mcp-server-skills', 'formatProblems', 'index'],
    ['mcp-server-skills/catalog', 'loadCatalog', 'catalog/bundle'],
    ['mcp-server-skills/client', 'SkillRegistry', 'client/index'],
    ['mcp-server-skills/client', 'fromClient', 'client/index'],
    ['mcp-server-skills/client/stdio', 'connectStdio', 'client/spawn'],
    ['mcp-server-skills/sdk', 'publishSkills', 'mcp/sdk'],
    ['mcp-server-skills/server', 'publishSkills', 'mcp/server'],
  ])('makes the bundle of who imports of %s only %s no larger than its sources would', async (entry, name, file) => {
    const measure = async (from: string) => {
      const { outputFiles, warnings } = await build({
        stdin: { contents: `export { ${name} } from '${from}';`, resolveDir: ROOT },
        bundle: true,
        minify: true,
        platform: 'node',
        format: 'esm',
        legalComments: 'none',
        // the package itself, as built
        tsconfigRaw: {},
        write: false,
        logLevel: 'silent',
      });
      expect(warnings).toEqual([]);
      return outputFiles[0]?.contents.length ?? Number.NaN;
    };
    expect((await measure(entry)) / (await measure(`./src/${file}.ts`))).toBeLessThan(1.05);
  });

  test('offers each SDK that it works with as an optional peer, and says the same versions itself', () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([peerDependencies, peerDependenciesMeta]).toEqual([
      {
        '@modelcontextprotocol/client': '^2.4.0',
        '@modelcontextprotocol/sdk': '^1.10.0',
        '@modelcontextprotocol/server': '^2.4.0',
      },
      {
        '@modelcontextprotocol/client': { optional: true },
        '@modelcontextprotocol/sdk': { optional: true },
        '@modelcontextprotocol/server': { optional: true },
      },
    ]);
    for (const [file, name] of [
      ['sdk', '@modelcontextprotocol/sdk'],
      ['server', '@modelcontextprotocol/server'],
    ] as const) {
      expect(readFileSync(join(ROOT, `src/mcp/${file}.ts`), 'utf8')).toContain(`'${peerDependencies[name]}'`);
    }
    const range = peerDependencies['@modelcontextprotocol/client'];
    expect(readFileSync(join(ROOT, 'src/client/sdkclient.ts'), 'utf8')).toContain(`@${range}"`);
  });
});

/** The runtime exports of every entry point. Adding to one needs a reason. */
const EXPORTS = {
  'mcp-server-skills': [
    'SkillsError',
    'createViews',
    'filterSkills',
    'formatProblems',
    'loadSkills',
    'readFrontmatter',
    'watchSkills',
  ],
  'mcp-server-skills/catalog': ['loadCatalog'],
  'mcp-server-skills/client': [
    'SkillRegistry',
    'SkillsNotServed',
    'connectHttp',
    'describeInstructions',
    'fromClient',
    'toLocalSkills',
  ],
  'mcp-server-skills/client/stdio': ['connectStdio'],
  'mcp-server-skills/sdk': ['publishSkills'],
  'mcp-server-skills/server': ['publishSkills'],
};

const SDK = '@modelcontextprotocol/sdk@~1.32.0';
/** The oldest that is promised. */
const OLD_SDK = '@modelcontextprotocol/sdk@1.10.0';
const SERVER = '@modelcontextprotocol/server@~2.4.0';
const CLIENT = '@modelcontextprotocol/client@~2.4.0';
const COPIES = [
  'sdk-copy@npm:@modelcontextprotocol/sdk@~1.32.0',
  'server-copy@npm:@modelcontextprotocol/server@~2.4.0',
];

const COMMON = `
import { loadSkills, readFrontmatter, formatProblems, SkillsError } from 'mcp-server-skills';
import type { LoadOptions, Problem, Skill, SkillCatalog, SkillFile } from 'mcp-server-skills';
import { loadCatalog } from 'mcp-server-skills/catalog';
import { connectHttp, fromClient, SkillRegistry, toLocalSkills } from 'mcp-server-skills/client';
import type { Activation, SkillConnection } from 'mcp-server-skills/client';
import { connectStdio } from 'mcp-server-skills/client/stdio';

type IsAny<T> = 0 extends 1 & T ? true : false;
const none: readonly [IsAny<Skill>, IsAny<SkillFile>, IsAny<Problem>, IsAny<SkillCatalog>] = [false, false, false, false];
void none;
void loadCatalog;
const options: LoadOptions = { invalid: 'fail', exclude: ['*.tmp'], from: import.meta.url };
const catalog = await loadSkills(process.env['SKILLS'] ?? '', options).catch((error: unknown) => {
  if (error instanceof SkillsError) console.error(formatProblems(error.problems));
  throw error;
});
// @ts-expect-error a number
catalog.skills[0]!.resources[0]!.size satisfies string;
const assign = () => {
  // @ts-expect-error deeply readonly
  catalog.skills[0]!.resources[0]!.size = 1;
  // @ts-expect-error deeply readonly
  catalog.skills.push(catalog.skills[0]!);
  // @ts-expect-error deeply readonly
  catalog.skills[0]!.frontmatter.name = 'x';
};
void assign;
const makers: readonly [() => Promise<SkillConnection>, () => Promise<SkillConnection>] = [
  () => connectHttp('http://127.0.0.1:9/mcp', { headers: { a: 'b' } }),
  () => connectStdio('node', ['x.js'], { env: { A: 'b' } }),
];
const host = new SkillRegistry();
for (const skill of toLocalSkills(catalog)) host.addLocal(skill);
const own: Activation = await host.activate(host.list()[0]!.name);
if (own.outcome !== 'activated') throw new Error(own.reason);
if (process.env['WANT_MAKERS'] === undefined) {
  // @ts-expect-error not a client
  const none = () => fromClient({});
  void none;
} else for (const make of makers) await make();
if (readFrontmatter(catalog.read(catalog.skills[0]!.uri)!.bytes).frontmatter === undefined) throw new Error('frontmatter');
`;

const SDK_CODE = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadResourceResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { publishSkills as publishOnSdk } from 'mcp-server-skills/sdk';
import type { PublishOptions as SdkOptions } from 'mcp-server-skills/sdk';
{
  const options: SdkOptions = { ttl: 60, pageSize: 1 };
  const servers: readonly [McpServer, Server] = [new McpServer({ name: 'a', version: '1' }), new Server({ name: 'b', version: '1' })];
  for (const server of servers) {
    publishOnSdk(server, catalog, options);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'c', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    const registry = new SkillRegistry();
    if ((await registry.addServer(fromClient(client), 'a')).skills !== catalog.skills.length) throw new Error('skills');
    for (const { name } of registry.list()) {
      const activation = await registry.activate(name);
      if (activation.outcome !== 'activated') throw new Error(activation.reason);
    }
    for (const { resources } of catalog.skills) {
      for (const { uri } of resources) {
        await client.request({ method: 'resources/read', params: { uri } }, ReadResourceResultSchema);
        console.log(uri);
      }
    }
    await client.close();
  }
  // @ts-expect-error not a server
  const wrong = () => publishOnSdk({}, catalog);
  void wrong;
}
`;

const CLIENT_CODE = `
import { Client as NewClient } from '@modelcontextprotocol/client';
const connectionOf = (client: NewClient): SkillConnection => fromClient(client);
void connectionOf;
`;

const SERVER_CODE = `
import { McpServer as NewMcpServer, Server as NewServer, createMcpHandler } from '@modelcontextprotocol/server';
import { publishSkills } from 'mcp-server-skills/server';
import type { PublishOptions } from 'mcp-server-skills/server';
for (const create of [
  (): NewMcpServer => new NewMcpServer({ name: 'a', version: '1' }),
  (): NewServer => new NewServer({ name: 'b', version: '1' }),
]) {
  const options: PublishOptions = { cacheScope: 'public' };
  const handler = createMcpHandler(() => {
    const server = create();
    publishSkills(server, catalog, options);
    return server;
  });
  const ask = async (method: string, params: object) => {
    const response = await handler.fetch(new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }));
    return await response.text();
  };
  for (const { resources } of catalog.skills) {
    for (const { uri } of resources) {
      if (!(await ask('resources/read', { uri })).includes('"contents"')) throw new Error(uri);
      console.log(uri);
    }
  }
}
const wrongServer = () => {
  // @ts-expect-error not a server
  publishSkills({}, catalog);
};
void wrongServer;
`;

const COPIES_CODE = `
import { McpServer as CopiedMcpServer } from 'sdk-copy/server/mcp.js';
import { McpServer as CopiedNewMcpServer } from 'server-copy';
publishOnSdk(new CopiedMcpServer({ name: 'a', version: '1' }), catalog);
publishSkills(new CopiedNewMcpServer({ name: 'a', version: '1' }), catalog);
const mixed = () => {
  // @ts-expect-error a server of the other line
  publishSkills(new CopiedMcpServer({ name: 'a', version: '1' }), catalog);
  // @ts-expect-error a server of the other line
  publishOnSdk(new CopiedNewMcpServer({ name: 'a', version: '1' }), catalog);
};
void mixed;
`;

const NO_SERVER =
  'this entry point of mcp-server-skills is for servers of @modelcontextprotocol/server, which is not installed: npm install "@modelcontextprotocol/server@^2.4.0"';

interface Project {
  readonly packages: readonly string[];
  readonly code: string;
  /** How often the program reads each file. */
  readonly reads: number;
  /** What importing an entry point says, where its SDK is missing. */
  readonly missing: Readonly<Record<string, string>>;
}

const PROJECTS: Record<string, Project> = {
  '1.x only': {
    packages: [SDK],
    code: COMMON + SDK_CODE,
    reads: 2,
    missing: {
      'mcp-server-skills/server': NO_SERVER,
    },
  },
  'the oldest 1.x': {
    packages: [OLD_SDK],
    code: COMMON + SDK_CODE,
    reads: 2,
    missing: { 'mcp-server-skills/server': NO_SERVER },
  },
  '2.x only': {
    packages: [SERVER, CLIENT],
    code: COMMON + SERVER_CODE + CLIENT_CODE,
    reads: 2,
    missing: {
      'mcp-server-skills/sdk':
        'this entry point of mcp-server-skills is for servers of @modelcontextprotocol/sdk, which is not installed: npm install "@modelcontextprotocol/sdk@^1.10.0"',
    },
  },
  'both, twice': {
    packages: [SDK, SERVER, ...COPIES],
    code: COMMON + SDK_CODE + SERVER_CODE + COPIES_CODE,
    reads: 4,
    missing: {},
  },
};

describe.each(Object.entries(PROJECTS))('a fresh project with %s', (_, { packages, code, reads, missing }) => {
  let project: string;

  beforeAll(async () => {
    project = mkdtempSync(join(folder, 'project-'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    writeFileSync(join(project, 'main.ts'), code);
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          types: ['node'],
        },
      }),
    );
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball, '@types/node@20', ...packages];
    await execute('npm', [...args, '--offline'], { cwd: project }).catch(() => execute('npm', args, { cwd: project }));
  });

  test('type-checks and runs', async () => {
    const checked = await execute(join(BIN, 'tsc'), ['-p', project], { cwd: project }).catch((error) => error);
    expect(checked.stdout).toBe('');
    const skills = makeTree(SKILLS);
    const { stdout } = await execute(process.execPath, ['main.js'], {
      cwd: project,
      env: { ...process.env, SKILLS: skills },
    });
    const uris = stdout.trimEnd().split('\n').sort();
    expect([uris.length, new Set(uris).size]).toEqual([7 * reads, 7]);
  });

  test('has the entry points whose SDK is there, each with its names; the others say what to install', async () => {
    const found: Record<string, unknown> = {};
    for (const name of Object.keys(EXPORTS)) {
      const script = `import('${name}').then((m) => console.log(JSON.stringify(Object.keys(m).sort())), (e) => console.log(JSON.stringify(e.message)))`;
      found[name] = JSON.parse((await execute(process.execPath, ['-e', script], { cwd: project })).stdout);
    }
    expect(found).toEqual({ ...EXPORTS, ...missing });
  });

  test.skipIf(packages.includes(CLIENT))('says what to install to connect to a server', async () => {
    for (const [entry, call] of [
      ['client', "connectHttp('http://127.0.0.1:9/mcp')"],
      ['client/stdio', "connectStdio('node')"],
    ] as const) {
      const script = `import('mcp-server-skills/${entry}').then((m) => m.${call}).catch((e) => console.log(e.message))`;
      const { stdout } = await execute(process.execPath, ['-e', script], { cwd: project });
      expect(stdout.trimEnd()).toBe(
        `${call.split('(')[0]} needs @modelcontextprotocol/client, which is not installed: npm install "@modelcontextprotocol/client@^2.4.0"`,
      );
    }
  });

  test.skipIf(Object.keys(missing).length === 0)('says so under another name of the package as well', async () => {
    const alias = join(project, 'node_modules/an-alias');
    cpSync(join(project, 'node_modules/mcp-server-skills'), alias, { recursive: true });
    for (const [name, message] of Object.entries(missing)) {
      const script = `import('${name.replace('mcp-server-skills', 'an-alias')}').catch((e) => console.log(e.message))`;
      const { stdout } = await execute(process.execPath, ['-e', script], { cwd: project });
      expect(stdout.trimEnd()).toBe(message);
    }
    rmSync(alias, { recursive: true });
  });

  test('loads no SDK with the root, the catalog, or the client', async () => {
    const entries = [
      'mcp-server-skills',
      'mcp-server-skills/catalog',
      'mcp-server-skills/client',
      'mcp-server-skills/client/stdio',
    ];
    const trace = entries.map((entry) => `import('${entry}')`).join(';');
    const { stderr } = await execute(process.execPath, ['-e', trace], {
      cwd: project,
      env: { ...process.env, NODE_DEBUG: 'esm' },
      maxBuffer: 1 << 28,
    });
    expect(stderr).toContain('mcp-server-skills');
    expect(stderr).not.toContain('@modelcontextprotocol');
  });
});
