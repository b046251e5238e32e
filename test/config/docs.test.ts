import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Host, Scope } from '../../src/config/host.ts';
import { HOSTS } from '../../src/config/hosts.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const WHERE = { platform: 'linux', home: '~', cwd: '', env: {} } as const;

/** The row of a host as docs/config.md has to show it: the file that is written without `--scope` is bold. */
function toRow(id: string, { title, container, scope, places }: Host): string {
  const cell = (each: Scope) => {
    const file = places[each]?.files(WHERE)[0];
    if (file === undefined) return '';
    return each === scope ? `**\`${file}\`**` : `\`${file}\``;
  };
  return `| ${title} | \`${id}\` | ${cell('project')} | ${cell('user')} | \`${container}\` |`;
}

test('docs/config.md names the files of every host', () => {
  expect(read('docs/config.md').match(/^\| (?!host ).+ \| `[a-z-]+` \| .*$/gm)).toEqual(
    Object.entries(HOSTS).map(([id, host]) => toRow(id, host)),
  );
});

test('the README names every host', () => {
  const [, list = ''] = /^HOST is one of ([^.]+)\./m.exec(read('README.md')) ?? [];
  expect([...list.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id).sort()).toEqual(Object.keys(HOSTS).sort());
});
