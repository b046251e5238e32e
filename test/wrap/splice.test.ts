import { expect, test } from 'vitest';
import { addMembers, changeList, setMember } from '../../src/wrap/splice.ts';

test('sets a member and leaves every other character as it is', () => {
  const text = '{ "a" : 12345678901234567890 ,"b":{"x":[1, 2],"y":"}\\"" }, "c":1e400}\n';
  expect(setMember(text, ['b', 'y'], 'true')).toBe(
    '{ "a" : 12345678901234567890 ,"b":{"x":[1, 2],"y":true }, "c":1e400}\n',
  );
  expect(setMember(text, ['b', 'z'], '[]')).toBe(
    '{ "a" : 12345678901234567890 ,"b":{"x":[1, 2],"y":"}\\"" ,"z":[]}, "c":1e400}\n',
  );
  expect(setMember(text, ['c'], '0')).toBe('{ "a" : 12345678901234567890 ,"b":{"x":[1, 2],"y":"}\\"" }, "c":0}\n');
});

test('makes the objects that are missing, and takes the place of what is no object', () => {
  expect(setMember('{}', ['a', 'b'], '1')).toBe('{"a":{"b":1}}');
  expect(setMember('{"a":null}', ['a', 'b'], '1')).toBe('{"a":{"b":1}}');
  expect(setMember('{"a":[{"b":2}]}', ['a', 'b'], '1')).toBe('{"a":{"b":1}}');
});

test('means the last member of a name, however it is written', () => {
  expect(setMember('{"a":1,"\\u0061":{"b":2}}', ['a', 'b'], '3')).toBe('{"a":1,"\\u0061":{"b":3}}');
  expect(setMember('{"a\\\\":1,"a":2}', ['a'], '3')).toBe('{"a\\\\":1,"a":3}');
});

test('adds what is missing at every depth, and keeps what is there', () => {
  const text = '{"tools":{"listChanged":true},"resources":{},"extensions":{"x":{"y":9007199254740993}}}';
  const added = {
    tools: { listChanged: false },
    resources: {},
    completions: {},
    extensions: { x: { y: 1, z: {} }, w: {} },
  };
  expect(addMembers(text, [], added)).toBe(
    '{"tools":{"listChanged":true},"resources":{},"extensions":{"x":{"y":9007199254740993,"z":{}},"w":{}},"completions":{}}',
  );
});

test('adds items to a list, and takes items out of it', () => {
  const text = '{"result":{"tools":[ {"n":1.0} , "]" ,[ ] ], "x":1}}';
  expect(changeList(text, ['result', 'tools'], () => true, [{ n: 2 }])).toBe(
    '{"result":{"tools":[{"n":1.0},"]",[ ],{"n":2}], "x":1}}',
  );
  expect(changeList(text, ['result', 'tools'], (index) => index === 1, [])).toBe('{"result":{"tools":["]"], "x":1}}');
  expect(changeList('{"tools":[]}', ['tools'], () => true, [1])).toBe('{"tools":[1]}');
  expect(changeList('{"tools":null}', ['tools'], () => true, [1])).toBe('{"tools":[1]}');
  expect(changeList('{}', ['tools'], () => true, [1])).toBe('{"tools":[1]}');
});

test('says the same as the same change of the parsed value, for generated texts', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % most;
  };
  const strings = ['', 'a', '"', '\\', '\\"', '}', '],', '{"a":', '\u2028', 'ü', '\ud800'];
  const make = (depth: number): unknown => {
    const kind = random(depth > 3 ? 4 : 6);
    if (kind === 0) return random(1000) / 7;
    if (kind === 1) return strings[random(strings.length)];
    if (kind === 2) return null;
    if (kind === 3) return random(2) === 0;
    const items = Array.from({ length: random(4) }, () => make(depth + 1));
    if (kind === 4) return items;
    return Object.fromEntries(items.map((item) => [strings[random(strings.length)], item]));
  };
  for (let round = 0; round < 500; round += 1) {
    const value = { ...Object.fromEntries([['a', make(0)]]), list: [make(1), make(1)], b: make(1) };
    const text = JSON.stringify(value, null, random(3));
    expect(JSON.parse(setMember(text, ['b'], '"new"'))).toEqual({ ...value, b: 'new' });
    expect(JSON.parse(setMember(text, ['c', 'd'], '1'))).toEqual({ ...value, c: { d: 1 } });
    expect(JSON.parse(changeList(text, ['list'], (index) => index === 1, [5]))).toEqual({
      ...value,
      list: [value.list[1], 5],
    });
  }
});
