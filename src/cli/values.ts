import { InvalidArgumentError } from 'commander';

/** Collects the values of an option that can be repeated. */
export function collect(value: string, values: readonly string[]): string[] {
  return [...values, value];
}

/** Reads the value of an option as a whole number. */
export function toWholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
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
