import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTree } from './tree.ts';

const ROOT = join(import.meta.dirname, '..');

test('an import that goes up is an error, and so are a circle of types and a room without a rule', () => {
  const files = {
    'src/disk/up.ts': 'export type { Problem } from "../judge/down.ts";\n',
    'src/yaml/beside.ts': 'export { SKILL_FILE } from "../catalog/down.ts";\n',
    'src/judge/option.ts': 'export { Command } from "commander";\n',
    'src/catalog/sdk.ts': 'export type { McpServer } from "@modelcontextprotocol/server";\n',
    'src/mcp/tools/later.ts': 'export const load = () => import("../../cli/down.ts");\n',
    'src/load.ts': 'export { serve } from "./stdio/down.ts";\n',
    'src/another/new.ts': 'export { SKILL_FILE } from "../catalog/down.ts";\n',
    'src/judge/one.ts': 'import type { Two } from "./two.ts";\nexport type One = Two;\n',
    'src/judge/two.ts': 'import type { One } from "./one.ts";\nexport type Two = One;\n',
    'src/judge/down.ts': 'export type { Name } from "../text/down.ts";\n',
    'src/cli/down.ts': 'export { Command } from "commander";\n',
  };
  const config = ['.biome.json', '.rooms.json'].map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]);
  const folder = makeTree({ ...files, ...Object.fromEntries(config) });
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const found = [...(stdout + stderr).matchAll(/^(src\/\S+?):\d+:\d+ lint\/\w+\/(\w+)/gm)].map(
    ([, path, rule]) => `${path} ${rule}`,
  );
  expect([...new Set(found)].sort()).toEqual([
    'src/another/new.ts noRestrictedImports',
    'src/catalog/sdk.ts noRestrictedImports',
    'src/disk/up.ts noRestrictedImports',
    'src/judge/one.ts noImportCycles',
    'src/judge/option.ts noRestrictedImports',
    'src/judge/two.ts noImportCycles',
    'src/load.ts noRestrictedImports',
    'src/mcp/tools/later.ts noRestrictedImports',
    'src/yaml/beside.ts noRestrictedImports',
  ]);
});

test('no two files of src have one name, but for index.ts', () => {
  const names = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/^.*[\\/]/, ''));
  expect(names.filter((name, at) => name !== 'index.ts' && names.indexOf(name) !== at)).toEqual([]);
});
