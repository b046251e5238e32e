import { createReadStream } from 'node:fs';
import { CommandError, EXIT } from './terminal.ts';

/** The most bytes of a lock or a printed catalog: less than a string can hold. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a file of JSON.
 *
 * @param shown - how messages name it
 * @throws CommandError
 */
export async function readTextFile(path: string, shown: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new CommandError(EXIT.usage, `"${shown}" has more than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.failure, `"${shown}" cannot be read: ${code ?? message}`, { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}
