import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, parse, resolve, sep } from 'node:path';

/** Links that are followed, at the most: more are a circle. */
const MOST = 40;

/** A name in a folder whose change gives a path another meaning. */
export interface Hinge {
  readonly folder: string;
  readonly name: string;
}

/**
 * What a path hangs on: its own name in the folder that holds it, and each link on the way to it. When a deployment swaps one of them
 * (`..data` of Kubernetes, the link of git-sync), nothing happens in the folder that it led to.
 */
export function findHinges(path: string): Hinge[] {
  const hinges: Hinge[] = [];
  let links = 0;
  const follow = (given: string): string => {
    const { root } = parse(given);
    let at = root;
    const names = given
      .slice(root.length)
      .split(sep)
      .filter((name) => name !== '');
    for (const [index, name] of names.entries()) {
      const place = join(at, name);
      const target = readLink(place);
      if (target !== undefined && ++links <= MOST) {
        hinges.push({ folder: at, name });
        at = follow(isAbsolute(target) ? target : resolve(at, target));
      } else {
        if (index === names.length - 1 && links <= MOST) hinges.push({ folder: at, name });
        at = place;
      }
    }
    return at;
  };
  follow(resolve(path));
  return hinges;
}

function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
