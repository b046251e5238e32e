import { describe, expect, it } from 'vitest';
import { STOP_WORDS, stem, toTerms } from '../../src/mcp/tools/terms.ts';

const termsOf = (text: string) => toTerms(text, 1000);

describe('stem', () => {
  it.each([
    ['commit commits committed committing'],
    ['generate generates generated generating generation generations'],
    ['configure configures configured configuring configuration'],
    ['query queries queried querying'],
    ['analysis analyses analyze analyzes analyzed analyzing analysing'],
    ['process processes processed processing'],
    ['migrate migrates migrating migration migrations'],
    ['create creates created creating creation'],
    ['install installs installed installing'],
    ['cancel cancels cancelled cancelling canceled'],
    ['fill fills filled filling'],
    ['apply applies applied applying'],
    ['write writes writing'],
    ['run runs running'],
    ['box boxes'],
    ['match matches matched matching'],
    ['class classes'],
    ['pdf pdfs'],
    ['api apis'],
    ['quick quickly'],
    ['feed feeds'],
    ['format formats formatted formatting'],
    ['validate validates validated validating validation'],
    ['operate operates operating operation operations'],
  ])('brings %j to one term', (words) => {
    expect([words, new Set(words.split(' ').map(stem)).size]).toEqual([words, 1]);
  });

  it.each([
    ['status', 'stat'],
    ['format', 'form'],
    ['files', 'filled'],
    ['string', 'str'],
    ['need', 'ne'],
    ['data', 'dat'],
    ['css', 'cs'],
    ['this', 'thi'],
    ['king', 'k'],
    ['test', 'text'],
    ['pods', 'port'],
    ['policy', 'police'],
    ['news', 'newest'],
  ])('keeps %j apart from %j', (word, other) => {
    expect(stem(word)).not.toBe(stem(other));
  });

  it('leaves other scripts, digits and short words as they are', () => {
    for (const word of ['größes', 'k8s', 'aws', 'ios', 'vue3s', 'данные', '']) expect(stem(word)).toBe(word);
  });
});

describe('toTerms', () => {
  it.each([
    ['Review-my  PULL_requests!', ['review', 'my', 'pull', 'request']],
    ['parseJSONFile', ['parsejsonfil', 'pars', 'json', 'fil']],
    ['GitHub k8s i18n', ['github', 'git', 'hub', 'k8s', 'i18n']],
    ['ﬁle Ⅷ ＡＰＩ', ['fil', 'viii', 'api']],
    ['Größe naïve', ['größe', 'naïve']],
    ['議事録を書く', ['議事', '事録', '録を', 'を書', '書く']],
    ['git的commit信息', ['git', '的', 'commit', '信息']],
    ['표', ['표']],
    ['커밋을', ['커밋', '밋을']],
    ['ทดสอบ', ['ทด', 'ดส', 'สอ', 'อบ']],
    ['?! … 😀', []],
    ['', []],
  ])('splits %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('says the same with a memory of what it has seen', () => {
    const memo = new Map();
    for (const text of ['Reviewing commits', 'commits 議事録 commits', 'parseJSONFile']) {
      expect(toTerms(text, 1000, memo)).toEqual(termsOf(text));
      expect(toTerms(text, 1000, memo)).toEqual(termsOf(text));
    }
  });

  it('reads no more than it is asked to, whatever a character becomes', () => {
    expect(termsOf('0'.repeat(10_000_000))).toEqual(['0'.repeat(64)]);
    expect(toTerms('ﷺ'.repeat(1000), 1000).join('').length).toBeLessThanOrEqual(1000);
    expect(toTerms('a\ud800b \udc00', 1000)).toEqual(['a', 'b']);
  });
});

it('knows 60 stop words', () => {
  expect(STOP_WORDS.size).toBe(60);
});
