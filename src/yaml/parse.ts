import { Composer, type CST, type Document, Parser, type YAMLError } from 'yaml';
import { type Survey, surveyTokens } from './survey.ts';

/** The most bytes (UTF-8) of frontmatter that are read. */
export const MAX_BYTES = 65_536;
/** The most levels of lists and mappings below the root: the official client's reader goes no deeper. */
export const MAX_DEPTH = 32;

/** What no parser can read, and where. */
export type Fault = Pick<YAMLError, 'code' | 'pos' | 'message'>;

/** A frontmatter parsed once: tokens surveyed, and unless it is nested too deep, the document. The depth may be infinite. */
export interface Parsed {
  readonly survey: Survey;
  readonly document?: Document.Parsed;
  readonly errors: readonly Fault[];
}

/** Parses YAML 1.2 (core schema) and keeps every error and warning as a value; nothing is expanded, nothing thrown. */
export function parseYaml(source: string): Parsed {
  const tokens = readTokens(source);
  if (tokens === undefined) return { survey: { ...surveyTokens([]), depth: Number.POSITIVE_INFINITY }, errors: [] };
  const survey = surveyTokens(tokens);
  if (survey.depth > MAX_DEPTH) return { survey, errors: [] };
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    keepSourceTokens: true,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
  });
  const documents = [...composer.compose(tokens, true, source.length)];
  // for this parser each of these colons begins a field without a key; no other parser takes it for one
  const lost = survey.colons.map(
    (at): Fault => ({ code: 'UNEXPECTED_TOKEN', pos: [at, at + 1], message: 'unexpected ":"' }),
  );
  const errors = [...documents.flatMap((document): Fault[] => [...document.errors, ...document.warnings]), ...lost];
  const [document] = documents;
  return document === undefined ? { survey, errors } : { survey, document: document as Document.Parsed, errors };
}

/** The tokens of a text; undefined where they are nested too deep for the parser, which calls itself for each level. */
function readTokens(source: string): CST.Token[] | undefined {
  try {
    return [...new Parser().parse(source)];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
