import type { MiddlewareHandler } from 'hono';
import type { Skill, SkillCatalog } from '../catalog/catalog.ts';
import type { AddRoutes } from '../http/app.ts';
import type { HttpEnv } from '../http/context.ts';
import type { View } from '../http/publication.ts';
import { respond } from '../http/response.ts';
import { handlePage } from '../page/handle.ts';
import { createRecent } from '../page/recent.ts';
import { SESSION_PATH } from '../page/signin.ts';
import { createSite, type Site } from '../page/site.ts';
import type { Problem } from '../problems.ts';
import { listInstalls } from './installs.ts';

/** The title of pages, where nobody chose one. */
export const TITLE = 'Agent Skills';

/** What pages show of what is served, beside the catalog. */
export interface PageFacts {
  /** All that were found, those of skills that are left out included. */
  readonly problems: readonly Problem[];
  /** As they were typed. */
  readonly roots: readonly string[];
  /** Whether a skill is in listings. Default: each is. */
  readonly isListed?: ((skill: Skill) => boolean) | undefined;
}

/** The pages that a server shows of a catalog. */
export function createServedSite(
  catalog: SkillCatalog,
  { problems, roots, isListed }: PageFacts,
  { server, hasAuth, note }: { readonly server: string; readonly hasAuth: boolean; readonly note: string | undefined },
): Site {
  return createSite(catalog, {
    title: TITLE,
    problems,
    isListed,
    notes: note === undefined ? [] : [note],
    // a program that installs has no session, and pages show no token
    install: { server, hosts: listInstalls(roots, server), baseUrl: hasAuth ? undefined : new URL('/', server).href },
    ...(hasAuth ? { signOut: SESSION_PATH } : {}),
  });
}

/**
 * Makes the routes of the pages: after the same check of hosts and origins, for the same tokens, and within the same limits as MCP.
 *
 * @param toSite - the pages of what a caller sees now
 */
export function createPages(toSite: (view: View, hasAuth: boolean) => Site): AddRoutes {
  const toBytes = createRecent();
  return (app, { byToken, byAddress }, services) => {
    const hasAuth = services.auth !== undefined;
    const admit: MiddlewareHandler<HttpEnv> = (c, next) =>
      c.req.header('authorization') === undefined ? byAddress(c, next) : byToken(c, next);
    const show: MiddlewareHandler<HttpEnv> = async (c) => {
      const { state } = c.env;
      const response = await handlePage(c.req.raw, {
        title: TITLE,
        holders: services.auth?.holders(),
        caller: state.caller.token,
        toSite(caller) {
          if (caller !== undefined) state.entry.token = caller;
          // of a session only the name of its token is known
          const isSession = caller !== undefined && caller !== state.caller.token;
          const asking = isSession ? { name: `token ${caller}`, token: caller } : state.caller;
          return toSite(services.publication.choose(asking), hasAuth);
        },
        toBytes,
        path: state.path,
        host: state.host,
        now: services.now(),
      });
      const { status, headers } = response;
      const body = response.body === null ? undefined : new Uint8Array(await response.arrayBuffer());
      return respond(c, { status, headers: Object.fromEntries(headers), body }, services);
    };
    app.get('*', admit, show);
    app.post(`/${SESSION_PATH}`, byAddress, show);
  };
}
