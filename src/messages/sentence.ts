import type { ProblemCode } from '../problems.ts';

/** What a problem says, and what its hint says to write: made of the arguments of the problem, and of nothing else. */
export type Sentence = (args: never) => readonly [message: string, hint?: string | undefined];

/** The sentences of one code. */
export type Variants = Readonly<Record<string, Sentence>>;

/** The sentences of some codes. */
export type Family = Readonly<Partial<Record<ProblemCode, Sentence | Variants>>>;
