import { expect, it } from 'vitest';
import { makeCatalog } from './catalog.ts';
import { connect, ERAS, toError } from './connect.ts';

const CATALOG = makeCatalog([{ path: 'office/pdf', description: 'Reads\nPDF.' }, { path: 'tax' }]);
const uri = 'skill://index.json';

it.each(ERAS)('reads the index of the superseded draft, only if asked for, on %s', async (era) => {
  const client = await connect(CATALOG, era, { legacyIndex: true });
  const { contents } = await client.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      { name: 'pdf', type: 'skill-md', description: 'Reads\nPDF.', url: 'skill://office/pdf/SKILL.md' },
      { name: 'tax', type: 'skill-md', description: 'What tax does.', url: 'skill://tax/SKILL.md' },
    ],
  });
  const { resources } = await client.listResources();
  expect(resources.map((resource) => resource.uri)).toEqual(['skill://office/pdf/SKILL.md', 'skill://tax/SKILL.md']);
  expect((await client.readResource({ uri: 'skill://tax/SKILL.md' })).contents).toHaveLength(1);

  const without = await connect(CATALOG, era);
  expect((await toError(without.readResource({ uri }))).code).toBe(-32602);
});
