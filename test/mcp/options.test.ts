import { describe, expect, test } from 'vitest';
import type { PublishOptions } from '../../src/mcp/settings.ts';
import { toOffer } from '../../src/mcp/surface.ts';
import { makeMany } from './catalog.ts';

describe('options', () => {
  const refuse = (options: unknown) => () => toOffer(makeMany(1), options as PublishOptions);

  test.each([
    [null, 'the options must be an object, not null'],
    ['auto', 'the options must be an object, not "auto"'],
    [
      { pagesize: 3 },
      'there is no option "pagesize": the options are ttl, cacheScope, pageSize, tools, prompts, maxPrompts, instructions, legacyIndex, resources, toolPrefix, isListed, channel',
    ],
  ])('that are none: %j', (options, message) => {
    expect(refuse(options)).toThrow(new TypeError(message));
  });

  test.each([
    [{ ttl: null }, 'ttl must be a number of seconds from 0, not null'],
    [{ ttl: '60' }, 'ttl must be a number of seconds from 0, not "60"'],
    [{ ttl: -1 }, 'ttl must be a number of seconds from 0, not -1'],
    [{ ttl: Number.NaN }, 'ttl must be a number of seconds from 0, not NaN'],
    [{ cacheScope: 'shared' }, 'cacheScope must be "private" or "public", not "shared"'],
    [{ pageSize: '10' }, 'pageSize must be a whole number from 1, not "10"'],
    [{ pageSize: 0 }, 'pageSize must be a whole number from 1, not 0'],
    [{ tools: true }, 'tools must be "auto", "always" or "never", not true'],
    [{ prompts: 'yes' }, 'prompts must be true or false, not "yes"'],
    [{ maxPrompts: 1.5 }, 'maxPrompts must be a whole number from 0, not 1.5'],
    [{ instructions: 1 }, 'instructions must be true or false, not 1'],
    [{ legacyIndex: null }, 'legacyIndex must be true or false, not null'],
    [{ resources: 'no' }, 'resources must be true or false, not "no"'],
    [{ toolPrefix: 'a b' }, 'toolPrefix must be 1 to 32 letters, digits, "_" or "-", not "a b"'],
    [{ toolPrefix: 'x'.repeat(33) }, `toolPrefix must be 1 to 32 letters, digits, "_" or "-", not "${'x'.repeat(33)}"`],
    [{ isListed: ['a'] }, 'isListed must be a function, not a list'],
  ])('out of their range: %o', (options, message) => {
    expect(refuse(options)).toThrow(new RangeError(message));
  });

  test.each([
    [undefined, 'undefined'],
    [1, '1'],
    ['yes', '"yes"'],
    [Promise.resolve(false), 'an object'],
  ])('isListed that answers %o', (answer, shown) => {
    expect(refuse({ isListed: () => answer })).toThrow(
      new TypeError(`isListed must return true or false, not ${shown} (for skill://skill-0000/SKILL.md)`),
    );
  });

  test('are read wherever the object has them', () => {
    class Config {
      get tools() {
        return 'always' as const;
      }
    }
    expect([...toOffer(makeMany(1), new Config()).joined.keys()]).toContain('tools/list');
  });
});

describe('an offer', () => {
  test('is made once for equal options, however they are written', () => {
    const catalog = makeMany(1);
    expect(toOffer(catalog, { pageSize: 5, ttl: 300 })).toBe(toOffer(catalog, { pageSize: 5 }));
    expect(toOffer(catalog, {})).not.toBe(toOffer(catalog, { pageSize: 5 }));
    expect(toOffer(makeMany(1), {})).not.toBe(toOffer(catalog, {}));
    const [isListed, isOther] = [() => true, () => true];
    expect(toOffer(catalog, { isListed })).toBe(toOffer(catalog, { isListed }));
    expect(toOffer(catalog, { isListed })).not.toBe(toOffer(catalog, { isListed: isOther }));
    expect(toOffer(catalog, { isListed })).not.toBe(toOffer(catalog, {}));
  });

  test('in use is kept while others come and go, and those are let go', () => {
    const catalog = makeMany(1);
    const [used, unused] = [toOffer(catalog, {}), toOffer(catalog, { pageSize: 7 })];
    for (let ttl = 1; ttl <= 50; ttl++) {
      toOffer(catalog, { ttl });
      expect(toOffer(catalog, {})).toBe(used);
    }
    expect(toOffer(catalog, { pageSize: 7 })).not.toBe(unused);
  });
});
