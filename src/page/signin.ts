import { html } from './html.ts';
import { layOut } from './skeleton.ts';

/** Where the form of signing in, and that of signing out, is sent: no skill and no group has a name with a dot. */
export const SESSION_PATH = '.session';

/** The page for a browser that nobody has signed in with. It shows nothing of what is published. */
export function writeSignIn(title: string, to: string, isRefused: boolean): string {
  const body = html`<h1>Sign in</h1>
<p>Use the token that your MCP client has for this server.</p>
${
  isRefused &&
  html`<p class="error" role="alert">This token is not known here.</p>
`
}<form method="post" action="/${SESSION_PATH}">
<p><label for="token">Token</label><br>
<input id="token" name="token" type="password" autocomplete="current-password" required spellcheck="false"${
    isRefused && html` aria-invalid="true"`
  }></p>
<input name="to" type="hidden" value="${to}">
<p><button>Sign in</button></p>
</form>
<p class="soft">The browser keeps a cookie for twelve hours that does not hold the token. If you signed in before and followed a link from
another site, <a href="${to}">go on to the page</a>.</p>`;
  return layOut(
    { path: to === '/' ? 'index.html' : to.slice(1), title: 'Sign in', body },
    { title, links: [], hasForms: true },
  );
}
