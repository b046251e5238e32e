import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension, v0_3 } from '@anthropic-ai/mcpb';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const pkg = read('package.json') as Record<string, string>;

describe('server.json, for the MCP Registry', () => {
  // The fields that it uses, as the documentation of the schema of 2025-12-11 has them; strict, so that a slip in a name
  // is found, which the published schema would let pass.
  const input = {
    description: z.string().optional(),
    format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
    isRequired: z.boolean().optional(),
    default: z.string().optional(),
    placeholder: z.string().optional(),
    choices: z.array(z.string()).optional(),
    value: z.string().optional(),
  };
  const argument = z.discriminatedUnion('type', [
    z
      .strictObject({
        ...input,
        type: z.literal('positional'),
        valueHint: z.string().optional(),
        isRepeated: z.boolean().optional(),
      })
      .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined),
    z.strictObject({ ...input, type: z.literal('named'), name: z.string(), isRepeated: z.boolean().optional() }),
  ]);
  const version = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  const schema = z.strictObject({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: z.string().min(1).max(100),
    description: z.string().min(1).max(100),
    version: version.max(255),
    packages: z.array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version,
        runtimeHint: z.literal('npx'),
        runtimeArguments: z.array(argument),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(argument),
        environmentVariables: z.array(z.strictObject({ ...input, name: z.string() })),
      }),
    ),
  });

  test('has the shape of the schema of 2025-12-11', () => {
    expect(schema.safeParse(read('server.json')).error).toBeUndefined();
  });

  test('says what package.json says', () => {
    const { name, description, version, packages } = read('server.json');
    expect([name, description, version, packages.length]).toEqual([
      pkg['mcpName'],
      pkg['description'],
      pkg['version'],
      1,
    ]);
    expect([packages[0].identifier, packages[0].version]).toEqual([pkg['name'], pkg['version']]);
  });
});

describe('the manifest of the MCP bundle', () => {
  const manifest = { ...read('.mcpb/manifest.json'), version: pkg['version'] };

  test('is valid by the schema of 0.3, once the version is in it', () => {
    expect(v0_3.McpbManifestSchema.safeParse(manifest).error).toBeUndefined();
    expect(Object.hasOwn(read('.mcpb/manifest.json'), 'version')).toBe(false);
  });

  test('says what package.json says', () => {
    expect([manifest.name, manifest.description, manifest.license]).toEqual([
      pkg['name'],
      pkg['description'],
      pkg['license'],
    ]);
  });

  test('starts the server with every folder that is picked', async () => {
    const config = await getMcpConfigForManifest({
      manifest: manifest as McpbManifestAny,
      extensionPath: '/ext',
      systemDirs: {},
      userConfig: { roots: ['/a b', '/c'] },
      pathSeparator: '/',
    });
    expect(config).toEqual({
      command: 'node',
      args: ['/ext/bin/mcp-server-skills.js', 'serve', '--invalid', 'skip', '/a b', '/c'],
    });
  });

  test('is packed with what npm would publish', async () => {
    // A copy with a stub in the place of the build, so that the test needs none.
    const folder = mkdtempSync(join(tmpdir(), 'mcpb-test-'));
    try {
      for (const name of ['.mcpb', '.release', 'LICENSE'])
        cpSync(join(root, name), join(folder, name), { recursive: true });
      const { scripts: _scripts, ...rest } = read('package.json');
      writeFileSync(join(folder, 'package.json'), JSON.stringify(rest));
      for (const name of ['bin', 'dist']) mkdirSync(join(folder, name));
      writeFileSync(join(folder, 'bin', 'mcp-server-skills.js'), '#!/usr/bin/env node\n');
      writeFileSync(join(folder, 'dist', 'command.cjs'), '');
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      execFileSync('node', ['.release/mcpb.js'], { cwd: folder });
      const out = join(folder, 'out');
      await unpackExtension({
        mcpbPath: join(folder, `mcp-server-skills-${pkg['version']}.mcpb`),
        outputDir: out,
        silent: true,
      });
      expect((readdirSync(out, { recursive: true }) as string[]).sort()).toEqual([
        'LICENSE',
        'bin',
        'bin/mcp-server-skills.js',
        'dist',
        'dist/command.cjs',
        'manifest.json',
        'package.json',
      ]);
      expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toEqual(manifest);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
