/** How long searches keep the event loop before everything else gets a turn, in milliseconds: all of them together. */
const SLICE = 10;

/** Turns of the event loop that one waits for others, at the most. */
const MOST_TURNS = 1000;

/** How long nobody worked where a new turn of the event loop has begun, in milliseconds: waiters of one turn follow at once. */
const GAP = 0.2;

/** Where there is one, it comes after what is due; a timer of 0 ms waits for the next millisecond, and on a busy machine far longer. */
const toNextTurn: (resolve: () => void) => unknown =
  typeof setImmediate === 'function' ? (resolve) => setImmediate(resolve) : (resolve) => setTimeout(resolve, 0);

let sliceEnd = 0;
let lastWork = 0;

/**
 * Waits until long work may go on: at once within a slice that has begun, else in a later turn of the event loop. One slice is worked
 * between two turns, however many wait. No waiter depends on another: in some hosts a timer ends with the request that it was set in.
 */
export async function takeTurn(): Promise<void> {
  if (performance.now() < sliceEnd) return;
  leaveTurn();
  // counted as well: in some hosts the clock stands still while a request is answered
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    await new Promise<void>(toNextTurn);
    const now = performance.now();
    if (now < sliceEnd) return;
    if (now - lastWork >= GAP) break;
  }
  sliceEnd = performance.now() + SLICE;
}

/** Notes that work was done until now: who waits in the same turn of the event loop waits for the next one. */
export function leaveTurn(): void {
  lastWork = performance.now();
}
