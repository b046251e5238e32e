import { cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** How long the machine is watched, in milliseconds. */
const WATCHED = 2000;

/** Above this, only ratios within a line mean something, in percent of all cores. */
const QUIET = 5;

/**
 * How busy other programs keep the machine, while this one waits.
 *
 * @returns {Promise<string>}
 */
export async function describeBusy() {
  const before = readTimes();
  await setTimeout(WATCHED);
  const after = readTimes();
  const share = Math.round((1 - (after.idle - before.idle) / (after.all - before.all)) * 100);
  const verdict = share <= QUIET ? 'quiet' : 'busy: only ratios within a line mean something';
  return `${share} % of ${cpus().length} cores in use, load average ${(loadavg()[0] ?? 0).toFixed(1)} (${verdict})`;
}

function readTimes() {
  const times = cpus().map((cpu) => cpu.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, time) => sum + Object.values(time).reduce((most, each) => most + each, 0), 0),
  };
}
