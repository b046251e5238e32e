/** More calls in one turn than that is a model that has lost its way. */
const MOST_CALLS = 20;

/**
 * One turn of a model behind an OpenAI-compatible URL: its calls are made until it answers in words.
 *
 * @param {object} turn
 * @param {string} turn.url such as https://api.openai.com/v1
 * @param {string} turn.model
 * @param {string} turn.key
 * @param {object[]} turn.messages grows by what is said
 * @param {readonly { name: string, description: string, inputSchema: object }[]} turn.tools
 * @param {(name: string, args: Record<string, unknown>) => Promise<string>} turn.call
 * @returns {Promise<string>}
 */
export async function converse({ url, model, key, messages, tools, call }) {
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  for (let count = 0; count < MOST_CALLS; ) {
    const response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages, tools: offered }),
    });
    if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 500)}`);
    const { choices } = await response.json();
    const message = choices?.[0]?.message;
    if (message === undefined) throw new Error('its answer has no message');
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? '';
    for (const { id, function: called } of message.tool_calls) {
      count += 1;
      messages.push({ role: 'tool', tool_call_id: id, content: await answer(called, call) });
    }
  }
  return '(the model made too many calls)';
}

/** @param {{ name: string, arguments: string }} called @param {(name: string, args: Record<string, unknown>) => Promise<string>} call */
async function answer({ name, arguments: json }, call) {
  try {
    return await call(name, JSON.parse(json || '{}'));
  } catch (error) {
    return `This failed: ${error instanceof Error ? error.message : error}`;
  }
}
