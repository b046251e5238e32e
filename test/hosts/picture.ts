import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { HOSTS } from './hosts.ts';
import { CACHE, installHosts } from './install.ts';
import { runHost, toSkillsFolder } from './run.ts';
import type { Play } from './script.ts';
import { toSvg } from './svg.ts';

const HOST = 'opencode';
const NAME = 'release-notes';
const QUESTION = 'Write the release notes of 2.1: dark mode, and search is twice as fast';

const SKILL = `---
name: ${NAME}
description: How we write release notes. Use for release notes and changelogs.
---

- Write one line for each change, and say first what the user gains.
- End with the line "Questions? Ask #releases."
`;

/** What a model that has read the skill writes. */
const ANSWER = `2.1

- Your eyes rest at night: the whole app has a dark mode.
- You wait half as long: search is twice as fast.

Questions? Ask #releases.`;

/** Loads the skill that the host has named. Without its text there is no answer. */
function* answer(): Play {
  const text = yield { purpose: 'load', skill: NAME, tool: 'skill_load', args: { skill: NAME } };
  if (!text.includes('Ask #releases.')) throw new Error(`the skill did not arrive: ${text}`);
  return ANSWER;
}

/**
 * Draws the first run for the README from a real one: docs/first-run.svg, and the same as text, in docs/first-run.txt and in the README.
 * Needs the build.
 *
 * @param other - another build of the command
 */
export async function main([other]: readonly string[], here: string): Promise<void> {
  const root = join(here, '..', '..');
  const host = HOSTS.find(({ id }) => id === HOST);
  if (host === undefined) throw new Error(`there is no host ${HOST}`);
  const { path } = installHosts([host]);
  const work = mkdtempSync(join(CACHE, 'picture-'));
  const file = join(toSkillsFolder(work), NAME, 'SKILL.md');
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, SKILL);
    const bin = other ?? join(root, 'bin', 'mcp-server-skills.js');
    const run = await runHost({ host, folder: work, path, bin, tap: join(here, 'tap.js') }, answer(), QUESTION);
    const toLines = (text: string) =>
      stripVTControlCharacters(text).replaceAll(join(work, 'project'), '~/project').trim().split(/\n+/);
    const said = toLines(run.stdout);
    if (!said.includes('Questions? Ask #releases.')) throw new Error(`no answer: ${run.stdout}${run.stderr}`);
    const lines = [
      `$ cat skills/${NAME}/SKILL.md`,
      ...readFileSync(file, 'utf8').trim().split('\n'),
      '',
      `$ npx mcp-server-skills config ${HOST} ./skills --write`,
      ...toLines(run.configured),
      '',
      `$ ${host.program} run "${QUESTION}"`,
      ...toLines(run.stderr).filter((line) => line.includes('skill_')),
      '',
      ...stripVTControlCharacters(run.stdout).trim().split('\n'),
    ];
    const text = `${lines.join('\n')}\n`;
    writeFileSync(join(root, 'docs', 'first-run.txt'), text);
    const readme = join(root, 'README.md');
    const shown = readFileSync(readme, 'utf8').replace(/(?<=^```console\n)[\s\S]*?(?=^```$)/m, () => text);
    writeFileSync(readme, shown);
    writeFileSync(join(root, 'docs', 'first-run.svg'), toSvg(lines, 'One skill, one command, one question'));
    console.log(lines.join('\n'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
