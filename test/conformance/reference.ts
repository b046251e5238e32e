import { setTimeout } from 'node:timers/promises';
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

const IMAGE = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};
const AUDIO = {
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};
const text = (value: string) => ({ type: 'text' as const, text: value });
const user = <T>(content: T) => ({ role: 'user' as const, content });
const toResource = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'embedded' },
});

/** What the suite asks of the input schema of one tool: that none of these keywords is lost. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** A host of our skills that has the tools, prompts and resources which the suite calls by name. */
export function createReference(): McpServer {
  const server = new McpServer({ name: 'reference', version: '1.0.0' });
  const tool = (name: string, content: object[]) =>
    server.registerTool(name, { description: name }, () => ({ content: content as never }));
  tool('test_simple_text', [text('This is a simple text response for testing.')]);
  tool('test_image_content', [{ type: 'image', ...IMAGE }]);
  tool('test_audio_content', [{ type: 'audio', ...AUDIO }]);
  tool('test_embedded_resource', [toResource('test://embedded-resource')]);
  tool('test_multiple_content_types', [text('several:'), { type: 'image', ...IMAGE }, toResource('test://mixed')]);
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema', inputSchema: fromJsonSchema(SCHEMA as never) },
    () => ({
      content: [],
    }),
  );

  server.registerTool('test_tool_with_progress', { description: 'Takes a while' }, async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      } as never);
      await setTimeout(50);
    }
    return { content: [text('done')] };
  });

  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [user(text('This is a simple prompt.'))],
  }));
  const both = z.object({ arg1: completable(z.string(), () => ['test']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'Two', argsSchema: both }, ({ arg1, arg2 }) => ({
    messages: [user(text(`arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const embedded = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'One', argsSchema: embedded },
    ({ resourceUri }) => ({
      messages: [user(toResource(resourceUri)), user(text('Please process it.'))],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [user({ type: 'image' as const, ...IMAGE }), user(text('Please analyze it.'))],
  }));

  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content.' }],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: IMAGE.data }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));
  return server;
}
