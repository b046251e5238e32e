import { type Caller, EXTENSION, type Params } from '../mcp/methods.ts';
import { isRecord } from '../text/jsonvalue.ts';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const FIRST_MODERN = '2026-07-28';

/**
 * Reads who asks.
 *
 * @param opening - the parameters of `initialize`, where that was asked
 * @param revision - what it settled on; undefined where it was not answered
 */
export function readCaller(params: Params, opening: Params | undefined, revision: string | undefined): Caller {
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  // a client of an older revision may send the fields of a newer one
  const isModern = revision === undefined && String(meta[PROTOCOL_VERSION] ?? '') >= FIRST_MODERN;
  const capabilities = isModern ? meta[CLIENT_CAPABILITIES] : opening?.['capabilities'];
  const info = isModern ? meta[CLIENT_INFO] : opening?.['clientInfo'];
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
  const name = isRecord(info) ? info['name'] : undefined;
  return {
    isModern,
    knowsSkills: isRecord(extensions) && extensions[EXTENSION] !== undefined,
    client: typeof name === 'string' ? name : undefined,
  };
}
