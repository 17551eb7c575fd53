/** The page's looks: calm, typographic, the fonts that the reader's system has. */

const text = `
*{box-sizing:border-box}
html{scroll-padding-top:3.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1,h3,.subtitle,dd,.name,tbody th,.words,.notices{overflow-wrap:anywhere}
main,header.title,footer{max-width:72rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
h1,h2,.lead{font-family:ui-serif,Charter,"Iowan Old Style","Source Serif 4",Georgia,"Times New Roman",serif;font-weight:600;line-height:1.15;letter-spacing:-.01em}
h1{font-size:clamp(2rem,5vw,3.1rem);margin:0}
h2{font-size:clamp(1.5rem,3vw,1.95rem);margin:0 0 .6rem}
h3{font-size:1.05rem;line-height:1.3;margin:1.8rem 0 .5rem}
h4{font-size:.8rem;margin:1rem 0 .35rem;color:var(--soft);font-weight:600}
p{margin:.4rem 0 .8rem;max-width:44rem;text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:2.5px solid var(--accent);outline-offset:2px;border-radius:4px}
section{padding:2.6rem 0 1rem;border-top:1px solid var(--rule)}
section:first-child{border-top:0}
header.title{padding-top:3rem;padding-bottom:.4rem}
.kicker{margin:0 0 .5rem;color:var(--soft);font-size:.9rem}
.subtitle{margin:.7rem 0 0;color:var(--soft)}
.lead{font-size:clamp(1.25rem,2.6vw,1.6rem);font-weight:400;line-height:1.35;max-width:46rem}
.soft,figcaption,.hint{color:var(--soft)}
figure{margin:0}
dfn{font-style:normal;font-weight:600}
code,pre{font-family:ui-monospace,"Cascadia Code","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
pre{background:var(--raised);border:1px solid var(--rule);border-radius:8px;padding:.8rem 1rem;overflow:auto;margin:.4rem 0;overflow-wrap:normal;max-width:56rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.scripted{display:none}
.js .scripted{display:revert}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;z-index:9;background:var(--paper);padding:.4rem .8rem}
nav{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--paper) 92%,transparent);backdrop-filter:blur(8px);border-bottom:1px solid var(--rule);margin-top:1.4rem}
nav>div{max-width:72rem;margin:0 auto;padding:.3rem clamp(1rem,4vw,2.5rem);display:flex;gap:1rem;align-items:center}
nav ul{display:flex;gap:.2rem 1.1rem;list-style:none;margin:0;padding:0;flex:1;overflow-x:auto;scrollbar-width:none}
nav a{display:block;padding:.35rem 0;color:var(--ink);text-decoration:none;font-size:.92rem;white-space:nowrap}
nav a:hover{text-decoration:underline}
#theme{font:inherit;font-size:.85rem;background:none;border:1px solid var(--rule);border-radius:99px;padding:.2rem .8rem;color:var(--ink);cursor:pointer;white-space:nowrap}
footer{padding-top:2rem;padding-bottom:3rem;color:var(--soft);font-size:.9rem}`;

const shared = `
.badge,.number{display:inline-flex;align-items:center;justify-content:center;min-width:1.7em;height:1.7em;padding:0 .35em;border:.19em solid var(--c);border-radius:99px;background:var(--raised);color:var(--ink);font:600 .82rem/1 system-ui,sans-serif;font-variant-numeric:tabular-nums;vertical-align:.06em}
a.cluster{text-decoration:none;display:inline-flex;align-items:center;gap:.3em;min-height:1.5rem;position:relative}
a.cluster:hover .badge,.marker:hover .number{background:var(--ink);color:var(--paper)}
.picture{display:block;border-radius:4px;background:#000}
.coarse{image-rendering:pixelated}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.88rem;line-height:1.35}
caption{text-align:left;color:var(--soft);padding-bottom:.4rem}
th,td{padding:.28rem .7rem .28rem 0;text-align:right;vertical-align:baseline;border-top:1px solid var(--rule)}
thead th{border-top:0;font-weight:500;color:var(--soft);font-size:.8rem;vertical-align:bottom}
th:first-child,.words{text-align:left}
td{white-space:nowrap}
td.words{white-space:normal}
tbody th{font-weight:500;min-width:5rem}
summary{cursor:pointer}
.more{margin:.4rem 0}
.more>summary{color:var(--soft);font-size:.88rem;padding:.2rem 0}`;

const found = `
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1rem 2rem;margin:1.6rem 0 0}
.fact{border-top:3px solid var(--ink);padding-top:.6rem}
dt{font-size:.88rem;color:var(--soft)}
dd{margin:0}
.fact p{margin:.3rem 0;font-size:.95rem;line-height:1.45}
.fact .who{display:flex;flex-wrap:wrap;gap:.5rem .9rem;font-size:1.05rem;font-weight:600;margin:.4rem 0 .5rem}
.who>span{display:flex;align-items:center;gap:.5rem}
.who .picture{width:auto;height:64px}
.notices{margin:1.8rem 0 0;border-left:4px solid var(--unsure);padding:.1rem 0 .1rem 1rem;max-width:46rem}
.notices h3{margin:0}
.notices ul{margin:.3rem 0;padding-left:1.1rem}`;

const drawings = `
.curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17.5rem),1fr));gap:1.2rem 1.6rem;margin:.8rem 0 1.4rem}
.curve figcaption{font-size:.88rem;color:var(--ink);margin-bottom:.2rem}
.curve svg,.histogram svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--soft);font-size:11px;font-family:inherit}
.grid,.axis{stroke:var(--rule);fill:none}
.line{fill:none;stroke:var(--soft);stroke-opacity:.55;stroke-width:1.1;stroke-linejoin:round}
.line.kept{stroke:var(--accent);stroke-opacity:1;stroke-width:2.4}
.dot{fill:var(--soft)}.dot.kept{fill:var(--accent)}
.mark{stroke:var(--ink);stroke-dasharray:3 3}
text.mark{stroke:none;fill:var(--ink);font-weight:600}
.keptline{border-bottom:2.5px solid var(--accent)}
.restarts .kept{font-weight:600}
.restarts tbody th{white-space:nowrap}
.scores{width:min(100%,46rem)}
.scores .words{min-width:14rem}
.scores tbody th{white-space:nowrap}
.confusion{margin-top:1.6rem}
.confusion{font-size:.82rem}
.confusion th,.confusion td{border:0;padding:.3rem .35rem;text-align:center}
.confusion tbody th{min-width:0;text-align:right;white-space:nowrap;position:sticky;left:0;background:var(--paper)}
.confusion td{min-width:3.3rem;background:color-mix(in srgb,var(--accent) calc(50%*var(--share)),var(--raised));border:1px solid var(--paper)}
.confusion .none{color:var(--soft)}
.confusion .picture{width:auto;height:32px;margin:0 auto .25rem}
.making{display:grid;grid-template-columns:minmax(4.5rem,8rem) 1fr;gap:.5rem 1.2rem;max-width:52rem;margin:.6rem 0}
.making dt{padding-top:.1rem}`;

export const style = [text, shared, found, drawings].join("");
