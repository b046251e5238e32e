import { createHash } from 'node:crypto';

/** The style of every page. It is in each of them, since a policy can name the digest of inline styles alone. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1d2126;--soft:#545d68;--line:#d5dae1;--card:#f5f7f9;--link:#0a58b5;--bad:#b3261e;--warn:#7a5200;--good:#1a6b33;--mark:#ffe58a;--mark-fg:#4a3200}
@media(prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e3e6ea;--soft:#a4adb8;--line:#373e47;--card:#1d2228;--link:#8abaff;--bad:#ff9b92;--warn:#eebc5c;--good:#7fd698;--mark:#5d4700;--mark-fg:#ffe9a8}}
*{box-sizing:border-box}
html{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-999em;background:var(--bg);padding:.5rem 1rem}
.skip:focus{left:0;z-index:1}
body>header,main,body>footer{width:min(57.5rem,100% - 2.5rem);margin:0 auto}
main{padding-top:.75rem}
body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;padding-top:1rem;padding-bottom:.75rem;border-bottom:1px solid var(--line)}
body>header>a{font-weight:600;color:var(--fg);text-decoration:none}
body>header>a:hover{text-decoration:underline}
nav ul,ul.plain{list-style:none;margin:0;padding:0}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
body>footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
h1{font-size:1.8rem;line-height:1.25;margin:1.5rem 0 .5rem}
h2{font-size:1.3rem;line-height:1.3;margin:2.25rem 0 .5rem;padding-top:.25rem}
h3{font-size:1.1rem;margin:1.5rem 0 .4rem}
h4,h5,h6{font-size:1rem;margin:1.25rem 0 .3rem}
p,ul,ol,dl,pre,table,blockquote{margin:.6rem 0}
.lead{font-size:1.1rem}
.soft,.meta{color:var(--soft)}
.meta{font-size:.875rem;display:flex;flex-wrap:wrap;gap:0 1rem;margin:.15rem 0}
.skills>li{padding:.9rem 0;border-top:1px solid var(--line)}
.skills h3{margin:0;font-size:1.05rem}
.skills p{margin:.2rem 0}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.75rem 1rem;overflow:auto;line-height:1.45;overflow-wrap:normal}
pre code{font-size:1em}
:not(pre)>code{background:var(--card);border-radius:4px;padding:.1em .3em}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
.digest{display:inline-block;max-width:19ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
dl{display:grid;grid-template-columns:fit-content(16rem) minmax(0,1fr);gap:.25rem 1.25rem}
dt{color:var(--soft)}
dd{margin:0;min-width:0}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600;overflow-wrap:normal}
td:first-child{min-width:9rem}
td.n,th.n,.md .r{text-align:right}
.md .c{text-align:center}
td.n{white-space:nowrap;font-variant-numeric:tabular-nums}
td pre{margin:0}
.changes td:not(:first-child){overflow-wrap:normal}
.md table{width:auto;min-width:50%;overflow-wrap:normal}
.md{border-left:3px solid var(--line);padding-left:1.25rem}
.md h3{font-size:1.25rem}.md h4{font-size:1.1rem}.md h6{color:var(--soft)}
.md img{max-width:100%;height:auto}
blockquote{border-left:3px solid var(--line);margin-left:0;padding-left:1rem;color:var(--soft)}
.tag{display:inline-block;border:1px solid currentColor;border-radius:1em;padding:0 .6em;font-size:.8rem;line-height:1.5;color:var(--soft);white-space:nowrap}
.error{color:var(--bad)}.warning{color:var(--warn)}.good{color:var(--good)}
.problems>li{border-left:3px solid var(--warn);padding:.1rem 0 .1rem .9rem;margin:.9rem 0}
.problems>li.e{border-color:var(--bad)}
.problems p{margin:.15rem 0}
.box{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.75rem 1.1rem;margin:1rem 0}
details{margin:.5rem 0}
summary{cursor:pointer;padding:.2rem 0}
summary h3{display:inline}
mark.u{background:var(--mark);color:var(--mark-fg);border-radius:3px;padding:0 .25em;font:600 .75em ui-monospace,monospace;unicode-bidi:isolate}
input,button{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--soft);border-radius:6px;padding:.4rem .75rem}
button{cursor:pointer;background:var(--card)}
@media(max-width:40rem){
h1{font-size:1.5rem}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}
.md{padding-left:.75rem}
.files .d{display:none}
}
@media print{
:root{--bg:#fff;--fg:#000;--soft:#444;--line:#bbb;--card:#fff;--link:#000;--bad:#000;--warn:#000;--good:#000}
body>header nav,.skip,.toc{display:none}
body>header,main,body>footer{width:100%}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
.digest{max-width:none;white-space:normal}
.files .d{display:table-cell}
details::details-content{content-visibility:visible;display:block}
h2,h3{break-after:avoid}li,tr,pre{break-inside:avoid}
}
`;

/** The style as a policy names it. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
