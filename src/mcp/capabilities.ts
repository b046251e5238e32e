/** What a server declares (MCP, `ServerCapabilities`). */
export type Capabilities = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** What is declared where skills are live: that lists change and, where the SDK serves subscriptions, that files do. */
export function declareChanges(capabilities: Capabilities, server: object): Capabilities {
  const { resources, prompts, ...others } = capabilities;
  // 2.x alone knows the revision that has `subscriptions/listen`
  const canSubscribe = 'getNegotiatedProtocolVersion' in server;
  return {
    ...others,
    resources: { ...resources, listChanged: true, ...(canSubscribe ? { subscribe: true } : {}) },
    ...(prompts === undefined ? {} : { prompts: { ...prompts, listChanged: true } }),
  };
}

/**
 * Takes out of the answer to `initialize` what a client of an older revision cannot have: there, files are subscribed to with a request
 * that nobody answers here, and over stateless HTTP there is no stream at all.
 *
 * @param before - what the host had declared itself, which stays
 * @param isSilent - whether there is no stream
 */
export function trimGreeting(greeting: unknown, before: Capabilities, isSilent: boolean): unknown {
  if (typeof greeting !== 'object' || greeting === null) return greeting;
  const { capabilities } = greeting as { capabilities?: Capabilities };
  if (capabilities === undefined) return greeting;
  const trim = (name: string, flags: readonly string[]) => {
    const declared = capabilities[name];
    if (declared === undefined) return {};
    const entries = Object.entries(declared).filter(([flag]) => !flags.includes(flag) || before[name]?.[flag] === true);
    return { [name]: Object.fromEntries(entries) };
  };
  const silenced = isSilent ? ['listChanged'] : [];
  return {
    ...greeting,
    capabilities: { ...capabilities, ...trim('resources', ['subscribe', ...silenced]), ...trim('prompts', silenced) },
  };
}
