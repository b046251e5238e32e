import type { LiveSkills } from '../catalog/live.ts';
import type { ReadingEvent } from '../live/follow.ts';
import { type Problem, toProblemKey } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { escapeText, toJsonLine } from '../text/escape.ts';

/** Lines of problems after one reading. */
const MOST_LINES = 20;

/** Where reloads are logged. */
export interface ReloadLogOptions {
  readonly format: 'text' | 'json';
  /** What a line of text begins with. */
  readonly lead: string;
  readonly write: (text: string) => void;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** Logs readings. */
export interface ReloadLog {
  /** Hears of a reading. */
  readonly hear: (event: ReadingEvent) => void;
  /** Asks for a reading, and logs one line whatever comes of it, for whoever asked. */
  readonly ask: (live: Pick<LiveSkills, 'catalog' | 'status' | 'reload'>) => Promise<void>;
}

/**
 * Makes what logs readings: one line for each that changed something or was refused, and what is wrong, as `check` prints it, unless that
 * was logged already.
 *
 * @param known - what is wrong at the start, and was reported then
 */
export function createReloadLog({ format, lead, write, now }: ReloadLogOptions, known: readonly Problem[]): ReloadLog {
  let last = toKey(known);
  let lastEvent: ReadingEvent | undefined;
  let count = 0;
  let written: Promise<unknown> = Promise.resolve();
  const print = (event: ReadingEvent, isNew: boolean) => {
    count += 1;
    if (format === 'json') {
      write(`${toJsonLine({ time: new Date(now()).toISOString(), ...toFields(event, isNew) })}\n`);
      return;
    }
    // one after another: what prints problems is loaded when it is needed first
    written = written.then(async () => write(`${lead}${toLine(event)}\n${isNew ? await formatErrors(event) : ''}`));
  };
  return {
    hear(event) {
      const key = toKey(event.problems);
      const isNew = key !== last;
      last = key;
      lastEvent = event;
      if (event.result.outcome !== 'unchanged' || isNew) print(event, isNew);
    },
    async ask(live) {
      const before = count;
      const start = performance.now();
      const result = await live.reload();
      if (count !== before) return;
      const { catalog, status } = live;
      // nothing was read, and what was refused before still is
      const reason = result.outcome === 'refused' ? lastEvent?.reason : undefined;
      const event = { result, catalog, status, problems: status.problems, duration: performance.now() - start };
      print({ ...event, ...(reason === undefined ? {} : { reason }) }, false);
    },
  };
}

function toKey(problems: readonly Problem[]): string {
  return findErrors(problems).map(toProblemKey).join('\n');
}

function findErrors(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity === 'error');
}

function toLine({ result, catalog, status, duration, problems, reason }: ReadingEvent): string {
  if (result.outcome === 'refused') {
    // what it says may quote a file
    const why = reason === undefined ? countOf(findErrors(problems).length, 'error') : escapeText(reason);
    return `reload refused: ${why}, still serving generation ${status.generation}`;
  }
  const kept =
    status.keptSkills.length === 0 ? '' : `, keeping ${countOf(status.keptSkills.length, 'skill')} from before`;
  const counts =
    result.outcome === 'changed'
      ? ` +${result.change.added.length} -${result.change.removed.length} ~${result.change.changed.length}`
      : '';
  return `reload ${result.outcome}${counts} ${catalog.digest} in ${Math.round(duration)} ms${kept}`;
}

function toFields({ result, catalog, status, duration, problems, reason }: ReadingEvent, isNew: boolean): object {
  const errors = findErrors(problems);
  const { added, removed, changed } =
    result.outcome === 'changed' ? result.change : { added: [], removed: [], changed: [] };
  return {
    level: result.outcome === 'refused' ? 'error' : 'info',
    event: 'reload',
    result: result.outcome,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    kept: status.keptSkills.length,
    generation: status.generation,
    digest: catalog.digest,
    duration_ms: Math.round(duration),
    errors: errors.length,
    ...(reason === undefined ? {} : { reason }),
    ...(isNew && errors.length > 0
      ? {
          problems: errors
            .slice(0, MOST_LINES)
            .map(({ code, path, line, column, message }) => ({ code, path, line, column, message })),
        }
      : {}),
  };
}

async function formatErrors({ problems }: ReadingEvent): Promise<string> {
  const errors = findErrors(problems);
  if (errors.length === 0) return '';
  const { formatProblems } = await import('../report/format.ts');
  const lines = formatProblems(errors, { base: ({ root = '' }) => root })
    .trimEnd()
    .split('\n');
  const left = lines.length - MOST_LINES;
  const shown = left > 0 ? [...lines.slice(0, MOST_LINES), `and ${countOf(left, 'more line')}`] : lines;
  return `${shown.join('\n')}\n`;
}
