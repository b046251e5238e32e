import type { Offer } from './offer.ts';

/** What is used of an `McpServer`, of either SDK line. */
interface Registrar {
  readonly _registeredTools?: Readonly<Record<string, unknown>>;
  readonly _registeredPrompts?: Readonly<Record<string, unknown>>;
  readonly [method: string]: unknown;
}

/** Throws where a host has a tool or a prompt under a name of ours already: one of the two would never be reached. */
export function assertFreeNames(server: object, { names }: Offer): void {
  const { _registeredTools, _registeredPrompts } = server as Registrar;
  for (const name of Object.keys(_registeredTools ?? {})) assertFree('tool', name, names.tools);
  for (const name of Object.keys(_registeredPrompts ?? {})) assertFree('prompt', name, names.prompts);
}

/** Tells a host at once when it registers such a tool or prompt later. */
export function guardNames(server: object, { names }: Offer): void {
  const methods = server as Record<string, unknown>;
  for (const method of ['registerTool', 'tool', 'registerPrompt', 'prompt']) {
    const register = methods[method];
    if (typeof register !== 'function') continue;
    const isTool = method.toLowerCase().endsWith('tool');
    methods[method] = (name: unknown, ...rest: unknown[]) => {
      assertFree(isTool ? 'tool' : 'prompt', name, isTool ? names.tools : names.prompts);
      return register.call(server, name, ...rest);
    };
  }
}

function assertFree(what: 'tool' | 'prompt', name: unknown, names: ReadonlySet<string>): void {
  if (typeof name === 'string' && names.has(name)) {
    throw new Error(`the ${what} "${name}" belongs to the published skills: give yours another name`);
  }
}
