import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BIN, type Outcome, run } from '../command.ts';
import { makeTree } from '../tree.ts';

/** Runs the command to its end, and gives how much memory it had at most, in kilobytes (Linux; other systems may count otherwise). */
export async function runMeasured(args: readonly string[]): Promise<Outcome & { readonly kilobytes: number }> {
  const folder = makeTree({});
  const [probe, peak] = [join(folder, 'probe.cjs'), join(folder, 'peak')];
  await writeFile(
    probe,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));
     process.argv.splice(1, 1, ${JSON.stringify(BIN)});
     require(${JSON.stringify(BIN)});`,
  );
  const outcome = await run(args, { command: probe });
  return { ...outcome, kilobytes: Number(await readFile(peak, 'utf8')) };
}
