import { InvalidArgumentError } from 'commander';

/** Collects the values of an option that can be repeated. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** In seconds: a timer of 25 days or more would fire at once. */
export const DAY = 86_400;

/** Reads the value of an option as a whole number. */
export function toWholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      const end = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
      throw new InvalidArgumentError(`It must be a whole number from ${least}${end}.`);
    }
    return value;
  };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 };

/** Reads the value of an option as a number of bytes: `1048576`, `512KiB`, `256MiB`. */
export function toBytes(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,12})([KMG]iB)?$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  if (digits === '' || factor === undefined) throw new InvalidArgumentError('It must be bytes, such as 256MiB.');
  return Number(digits) * factor;
}
