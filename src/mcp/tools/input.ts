import { quote, toAdvice } from '../lookup.ts';
import type { Params } from '../methods.ts';
import { findNearest } from '../nearest.ts';

/** Arguments that a tool cannot work with. Its message is shown to the model, so it says what to write instead. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput';
}

/** The longest text of an argument, in UTF-16 units. */
const LONGEST = 4096;

/** Refuses arguments that a tool does not have: one that is ignored would give an answer to another question. */
export function refuseOthers(args: Params, known: readonly string[]): void {
  for (const name of Object.keys(args)) {
    if (known.includes(name)) continue;
    const advice = toAdvice(findNearest(name, known));
    throw new WrongInput(
      `there is no argument ${quote(name)}${advice || `: the arguments are ${known.map(quote).join(', ')}`}`,
    );
  }
}

/** A text of the arguments. */
export function readText(args: Params, name: string): string {
  const value = readOptionalText(args, name);
  if (value === undefined) throw new WrongInput(`the argument ${quote(name)} is missing`);
  return value;
}

/** A text of the arguments, undefined where it is missing or empty. */
export function readOptionalText(args: Params, name: string): string | undefined {
  const value = args[name];
  // some hosts send null for what a model left out
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new WrongInput(`the argument ${quote(name)} must be a string`);
  if (value.length > LONGEST) throw new WrongInput(`the argument ${quote(name)} is longer than ${LONGEST} characters`);
  return value;
}

/** The texts of a list. */
export function readTexts(args: Params, name: string): readonly string[] {
  const value = args[name];
  if (!Array.isArray(value) || value.length === 0 || value.some((item) => typeof item !== 'string')) {
    throw new WrongInput(`the argument ${quote(name)} must be a list of strings, such as ["references/guide.md"]`);
  }
  return value as readonly string[];
}

/** A whole number from 0. */
export function readNumber(args: Params, name: string): number | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new WrongInput(`the argument ${quote(name)} must be a whole number from 0`);
  }
  return value;
}
