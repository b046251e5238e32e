import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTree } from './tree.ts';

const RUN = fileURLToPath(new URL('../.ci/run', import.meta.url));

test.skipIf(process.platform === 'win32').each(['ci', 'run demo', 'run lint', 'test', 'run test:nodes'])(
  '.ci/run ends where "npm %s" fails',
  (failing) => {
    const folder = makeTree({ 'bin/npm': `#!/bin/sh\necho "$*" >> "$CALLS"\n[ "$*" != "${failing}" ]\n` });
    const calls = join(folder, 'calls');
    writeFileSync(join(folder, 'bin', 'apt-get'), '#!/bin/sh\n');
    for (const name of ['npm', 'apt-get']) chmodSync(join(folder, 'bin', name), 0o755);
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, CALLS: calls };
    const { status } = spawnSync(RUN, { env });
    expect([status, readFileSync(calls, 'utf8').trim().split('\n').at(-1)]).toEqual([1, failing]);
  },
);
