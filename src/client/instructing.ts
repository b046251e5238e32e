import { Fencer } from './fence.ts';
import { assertLabel } from './labels.ts';
import { fenceInstructions } from './prompt.ts';

let fencer: Fencer | undefined;

/**
 * What servers published on how to use them, as a section of a system prompt: under the host's label of each, never under the name that a
 * server gives itself; cut at 8,192 code points, and in a fence that the text cannot close. Empty where no server published anything.
 * The fences stay the same while the process runs, so that a model's provider can cache the prompt.
 *
 * @param servers - the `instructions` of connections by label; undefined for a server that published nothing
 * @param log - called with a message for each text that is cut
 * @throws RangeError for what is no label, and TypeError for what is no string
 */
export function describeInstructions(
  servers: Readonly<Record<string, string | undefined>>,
  log: (message: string) => void = () => {},
): string {
  const published = Object.entries(servers).flatMap(([label, text]) => {
    assertLabel(label);
    if (text === undefined) return [];
    if (typeof text !== 'string') throw new TypeError(`the instructions of "${label}" are not a string`);
    return text.trim() === '' ? [] : [[label, text] as const];
  });
  fencer ??= new Fencer();
  return fenceInstructions(published, fencer, (label) => log(`the instructions of the server "${label}" are cut`));
}
