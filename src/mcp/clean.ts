import { INVISIBLE } from '../text/invisible.ts';

// nothing invisible is wanted here, at work or not, nor what has no meaning that others share
const DROPPED = new RegExp(`${INVISIBLE.source}|[\\p{Cf}\\p{Variation_Selector}\\p{Cs}\\p{Co}]`, 'gu');
const BLANK = /[\s\p{Cc}]+/gu;

/**
 * Text of a skill as one line that cannot pose as anything else where a server's own words stand around it: no line breaks, no
 * controls, nothing invisible (tag and bidirectional characters, joiners, selectors), no angle brackets that could open or close markup.
 */
export function cleanText(text: string): string {
  return text.replace(DROPPED, '').replace(BLANK, ' ').trim().replaceAll('<', '‹').replaceAll('>', '›');
}

let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text, with `…` where something is missing; never cut inside what a reader sees as one character.
 *
 * @param units - the most UTF-16 units of the result, the `…` included
 */
export function cutText(text: string, units: number): string {
  if (text.length <= units) return text;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let end = 0;
  // one cluster can be of any length, and only this much of the text matters
  for (const { segment, index } of segmenter.segment(text.slice(0, units + 32))) {
    if (index + segment.length > units - 1) break;
    end = index + segment.length;
  }
  const kept = text.slice(0, end).trimEnd();
  return kept === '' ? '' : `${kept}…`;
}
