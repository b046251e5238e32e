import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Collects garbage. V8 lets garbage grow with what is alive, so a few large responses one after another would take several times the
 * memory of one; a server that is not trusted must not choose how much that is.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    // from Node 24 on, what is young may take many times as much before any of it is collected
    setFlagsFromString('--semi-space-growth-factor=1');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
