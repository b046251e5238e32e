import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/main.ts';
import { LEGACY_HEADERS, toCall, toModernCall } from '../http/harness.ts';
import { type Issuer, startIssuer } from '../http/issuer.ts';
import { makeTree, skillMd } from '../tree.ts';

const AUDIENCE = 'https://skills.example.com/mcp';
const PATHS = ['billing/payouts', 'billing/refunds', 'internal/hr', 'open'];
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'billing/payouts': 'Pays-people-out.',
  'billing/refunds': 'Refunds-people.',
  'internal/hr': 'Hires-people.',
  open: 'Opens-doors.',
};
const POLICY = `version: 1
default: none
groups:
  finance: { tokens: [alice, ci], scopes: ["skills:finance"], claims: { groups: ["fin-*"] } }
rules:
  - allow: ["**"]
    to: ["*"]
    except: ["internal/**", "billing/**"]
  - allow: ["billing/**"]
    to: [finance]
  - deny: ["billing/payouts"]
    to: ["token:ci"]
`;

/** What each caller sees, and how it shows who it is. */
const CALLERS: Readonly<Record<string, { readonly sees: readonly string[]; readonly claims?: object }>> = {
  alice: { sees: ['billing/payouts', 'billing/refunds', 'open'] },
  bob: { sees: ['open'] },
  ci: { sees: ['billing/refunds', 'open'] },
  'a scope': { sees: ['billing/payouts', 'billing/refunds', 'open'], claims: { scope: 'x skills:finance' } },
  'a claim': { sees: ['billing/payouts', 'billing/refunds', 'open'], claims: { groups: ['hr', 'fin-eu'] } },
  'no claim': { sees: ['open'], claims: { groups: ['finance'] } },
};

/** Clients hear of changes once a second, and this machine may be busy. */
const PATIENCE = { timeout: 20_000 };

const uriOf = (path: string, file = 'SKILL.md') => `skill://${path}/${file}`;

/** Each surface, asked about one skill. */
const SURFACES: Readonly<Record<string, (path: string) => readonly [method: string, params: Record<string, unknown>]>> =
  {
    instructions: () => ['server/discover', {}],
    'skills/list': () => ['skills/list', {}],
    'skills/get': (path) => ['skills/get', { uri: uriOf(path) }],
    'resources/read': (path) => ['resources/read', { uri: uriOf(path) }],
    'a file': (path) => ['resources/read', { uri: uriOf(path, 'rules.md') }],
    'a folder': (path) => ['resources/directory/read', { uri: `skill://${path}` }],
    'a group': (path) => ['resources/directory/read', { uri: `skill://${path.split('/')[0]}` }],
    'resources/list': () => ['resources/list', {}],
    'resources/templates/list': () => ['resources/templates/list', {}],
    'tools/list': () => ['tools/list', {}],
    skill_list: () => ['tools/call', { name: 'skill_list', arguments: {} }],
    search: (path) => ['tools/call', { name: 'skill_list', arguments: { query: path.replace('/', ' ') } }],
    skill_load: (path) => ['tools/call', { name: 'skill_load', arguments: { skill: path } }],
    'did you mean': (path) => ['tools/call', { name: 'skill_load', arguments: { skill: `${path}s` } }],
    skill_file: (path) => ['tools/call', { name: 'skill_file', arguments: { skill: path, paths: ['rules.md'] } }],
    'prompts/list': () => ['prompts/list', {}],
    'prompts/get': (path) => ['prompts/get', { name: path.replaceAll('/', '_') }],
    completion: (path) => [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'skill://{+path}' }, argument: { name: 'path', value: path.slice(0, 2) } },
    ],
  };

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };

interface Served {
  readonly root: string;
  readonly url: string;
  readonly log: () => string;
  readonly hangUp: () => void;
  readonly close: () => Promise<number>;
}

const open: Served[] = [];
let issuer: Issuer;
let served: Served;

beforeAll(async () => {
  issuer = await startIssuer();
  served = await serve(POLICY, '--page', '--metrics');
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await issuer.close();
});

/** Runs the command in this process, over real HTTP. */
async function serve(policy: string, ...args: string[]): Promise<Served> {
  const files = PATHS.flatMap((path) => [
    [`skills/${path}/SKILL.md`, skillMd(path.split('/').at(-1) ?? '', DESCRIPTIONS[path])],
    [`skills/${path}/rules.md`, `rules of ${path}\n`],
  ]);
  const root = makeTree({
    ...Object.fromEntries(files),
    'policy.yaml': policy,
    tokens: 'alice:a-token\nbob:b-token\nci:c-token\n',
  });
  chmodSync(join(root, 'tokens'), 0o600);
  const ending = new AbortController();
  const hangups = new EventEmitter();
  const error = new PassThrough();
  let text = '';
  const started = new Promise<string>((resolve) => {
    error.on('data', (chunk) => {
      text += chunk;
      const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  const auth = ['--token-file', join(root, 'tokens'), '--oauth-issuer', issuer.url, '--oauth-audience', AUDIENCE];
  const options = ['--policy', join(root, 'policy.yaml'), '--log', 'json', '--page-size', '1', '--rate', '100000'];
  const over = runCommand(['serve', join(root, 'skills'), '--http', '0', ...auth, ...options, ...args], {
    ...{ input: new PassThrough(), output: new PassThrough(), error, hangups, signal: ending.signal, env: {} },
    ...{ home: root, version: '0.0.0', platform: process.platform, cwd: root, userHome: root, uid: undefined },
    execPath: process.execPath,
  });
  const left = over.then((status) => Promise.reject(new Error(`left with ${status}: ${text}`)));
  const url = await Promise.race([started, left]);
  left.catch(() => undefined);
  const made: Served = {
    ...{ root, url, log: () => text, hangUp: () => void hangups.emit('SIGHUP') },
    close() {
      ending.abort();
      return over;
    },
  };
  open.push(made);
  return made;
}

async function toToken(caller: string): Promise<string> {
  const claims = CALLERS[caller]?.claims;
  return claims === undefined ? `${caller[0]}-token` : issuer.sign({ aud: AUDIENCE, ...claims });
}

type Ask = (method: string, params: Record<string, unknown>) => Promise<string>;

/** Asks in one era; what comes back is every page of the answer, as it was sent. */
async function createAsk(caller: string, era: 'legacy' | 'modern', { url } = served): Promise<Ask> {
  const authorization = `Bearer ${await toToken(caller)}`;
  const ask: Ask = async (method, params) => {
    const modern = toModernCall(method, params);
    const request =
      era === 'modern'
        ? { ...modern, headers: { ...modern.headers, authorization } }
        : { method: 'POST', headers: { ...LEGACY_HEADERS, authorization }, body: toCall(method, params) };
    const text = await (await fetch(url, request)).text();
    const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
    return cursor === undefined
      ? text
      : `${text}\n${Buffer.from(cursor, 'base64url')}\n${await ask(method, { ...params, cursor })}`;
  };
  return (method, params) =>
    method === 'server/discover' && era === 'legacy' ? ask('initialize', INITIALIZE) : ask(method, params);
}

function digestOf(path: string): string {
  return createHash('sha256')
    .update(skillMd(path.split('/').at(-1) ?? '', DESCRIPTIONS[path]))
    .digest('hex');
}

/** A skill of nobody, whose path is as long as that of another. */
const toUnknown = (path: string) => path.replace(/[a-z]+$/, (name) => 'q'.repeat(name.length));

for (const era of ['legacy', 'modern'] as const) {
  test.each(Object.entries(CALLERS))(
    `%s gets nothing of what is hidden, on any surface (${era})`,
    async (caller, { sees }) => {
      const ask = await createAsk(caller, era);
      const hidden = PATHS.filter((path) => !sees.includes(path));
      for (const [surface, toRequest] of Object.entries(SURFACES)) {
        for (const path of PATHS) {
          const text = await ask(...toRequest(path));
          if (era === 'modern' && text.includes('"cacheScope"')) expect(text).not.toContain('"public"');
          for (const other of hidden) {
            const found = [DESCRIPTIONS[other] ?? '', digestOf(other), `rules of ${other}`].filter((each) =>
              text.includes(each),
            );
            // a request for a hidden skill is answered with what it asked for, and nothing else
            if (other !== path && other.split('/')[0] !== path.split('/')[0] && text.includes(other)) found.push(other);
            expect([surface, path, found]).toEqual([surface, path, []]);
          }
        }
        for (const path of hidden) {
          const [asked, unknown] = [path, toUnknown(path)];
          const answer = await ask(...toRequest(asked));
          const other = await ask(...toRequest(unknown));
          const blank = (text: string, name: string) =>
            text.replaceAll(name, '?').replaceAll(name.replace('/', '_'), '?').replaceAll(name.replace('/', ' '), '?');
          expect([surface, blank(answer, asked)]).toEqual([surface, blank(other, unknown)]);
        }
      }
      const listed = [
        ...(await ask('skills/list', {})).matchAll(/"uri":"skill:\/\/([^"]+)\/SKILL\.md","frontmatter"/g),
      ];
      expect(listed.map(([, path]) => path)).toEqual(sees);
    },
  );
}

test.each(Object.entries(CALLERS))('pages and numbers show %s what it sees', async (caller, { sees }) => {
  const headers = { authorization: `Bearer ${await toToken(caller)}` };
  const get = async (path: string) => {
    const response = await fetch(new URL(path, served.url), { headers });
    return { status: response.status, text: await response.text() };
  };
  const everywhere = [
    '/',
    '/install.html',
    '/problems.html',
    '/catalog.json',
    '/mcp-skills.lock.json',
    '/metrics',
    '/healthz',
    '/readyz',
  ];
  for (const path of PATHS) {
    const own = await Promise.all([`/${path}/`, `/${path}/entry.json`, `/${path}`, `/${path}/raw/SKILL.md`].map(get));
    if (sees.includes(path)) expect(own[0]?.status).toBe(200);
    else {
      const unknown = toUnknown(path);
      const others = [`/${unknown}/`, `/${unknown}/entry.json`, `/${unknown}`, `/${unknown}/raw/SKILL.md`];
      expect(own).toEqual(await Promise.all(others.map(get)));
    }
  }
  for (const page of everywhere) {
    const { status, text } = await get(page);
    expect([page, status]).toEqual([page, 200]);
    for (const path of PATHS.filter((each) => !sees.includes(each))) {
      expect([page, [path, DESCRIPTIONS[path] ?? '', digestOf(path)].filter((each) => text.includes(each))]).toEqual([
        page,
        [],
      ]);
    }
  }
  expect((await get('/healthz')).text).toBe('{"status":"ok"}');
  expect((await get('/readyz')).text).toBe('{"status":"ok"}');
});

/** Opens a stream, and gives what has come on it. */
async function subscribe(caller: string, { url }: Served): Promise<{ text: () => string; over: Promise<void> }> {
  const filter = { resourcesListChanged: true, resourceSubscriptions: PATHS.map((path) => uriOf(path)) };
  const call = toModernCall('subscriptions/listen', { notifications: filter });
  const headers = { ...call.headers, authorization: `Bearer ${await toToken(caller)}` };
  const { body } = await fetch(url, { ...call, headers });
  let text = '';
  const read = async () => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk);
  };
  const over = read().catch(() => undefined);
  await expect.poll(() => text, PATIENCE).toContain('acknowledged');
  return { text: () => text.slice(text.indexOf('\n\n')), over };
}

const writeSkill = ({ root }: Served, path: string, description: string) => {
  mkdirSync(join(root, 'skills', path), { recursive: true });
  writeFileSync(join(root, 'skills', path, 'SKILL.md'), skillMd(path.split('/').at(-1) ?? '', description));
};

test('a change is told to those who see it, and to nobody else', async () => {
  const own = await serve(POLICY);
  const [alice, bob] = [await subscribe('alice', own), await subscribe('bob', own)];
  writeSkill(own, 'billing/payouts', 'Pays twice.');
  own.hangUp();
  await expect.poll(alice.text, PATIENCE).toContain(uriOf('billing/payouts'));
  writeSkill(own, 'open', 'Opens windows.');
  own.hangUp();
  await expect.poll(bob.text, PATIENCE).toContain(uriOf('open'));
  expect(bob.text()).not.toContain('billing');
  expect(bob.text().match(/resources\/list_changed/g)).toHaveLength(1);
});

test('a policy that cannot be read changes nothing, and says so; another ends the streams of those for whom it is another', async () => {
  const own = await serve(POLICY);
  const policy = join(own.root, 'policy.yaml');
  const list = async (caller: string) => {
    const text = await (await createAsk(caller, 'modern', own))('skills/list', {});
    return PATHS.filter((path) => text.includes(uriOf(path)));
  };
  const [alice, bob] = [await subscribe('alice', own), await subscribe('bob', own)];
  writeFileSync(policy, 'version: 1\nrules: []\n');
  writeSkill(own, 'new', 'New.');
  own.hangUp();
  await expect
    .poll(own.log, PATIENCE)
    .toContain(`the policy stays as it was: ${policy}:1:1: the policy has no \\"default\\"`);
  await expect.poll(own.log, PATIENCE).toContain('"result":"refused"');
  expect([await list('alice'), await list('bob')]).toEqual([CALLERS['alice']?.sees, CALLERS['bob']?.sees]);

  writeFileSync(policy, POLICY.replace('tokens: [alice, ci]', 'tokens: [ci]'));
  own.hangUp();
  await alice.over;
  expect(alice.text()).toMatch(/"result":\{"resultType":"complete"/);
  expect(await list('alice')).toEqual(['open']);
  await expect.poll(bob.text, PATIENCE).toContain('resources/list_changed');
  expect(bob.text()).not.toContain('complete');
  expect(own.log()).toContain('the policy was read again');
});

test('patterns that match nothing are reported, and errors under --strict', async () => {
  const own = await serve(POLICY.replace('"internal/**", ', '"internal/**", "gone", '));
  expect(own.log()).toContain(`policy.yaml:8:29: warning: "gone" matches no skill`);
  await expect(serve(POLICY.replace('"internal/**", ', '"gone", '), '--strict')).rejects.toThrow(
    /left with 1: \S+policy\.yaml:8:14: error: "gone" matches no skill\n/,
  );
});

test.each([
  [['--cache-scope', 'public', '--policy', 'policy.yaml'], 'shared caches'],
  [['--policy', 'none.yaml'], '"none.yaml" cannot be read: ENOENT'],
])('refuses %j', async (args, message) => {
  await expect(serve(POLICY, ...args)).rejects.toThrow(new RegExp(`left with 2: .*${message}`));
});
