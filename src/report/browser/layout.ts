/** The looks of the map and the cards, and of everything on narrow screens and on paper. */

const map = `
.atlas{display:grid;grid-template-columns:minmax(0,1fr) minmax(13rem,17rem);gap:1.4rem;margin-top:1rem}
.chart{position:relative;width:100%;background:var(--raised);border:1px solid var(--rule);border-radius:10px;overflow:hidden;container-type:inline-size}
.chart canvas,.sketch{position:absolute;inset:0;width:100%;height:100%}
.drawn .sketch{visibility:hidden}
.markers{position:absolute;inset:0;pointer-events:none}
.marker{position:absolute;pointer-events:auto;translate:-50% -50%;display:block;color:var(--ink);text-decoration:none;transition:opacity .15s}
.marker .number{min-width:24px;height:24px;box-shadow:0 0 0 2px var(--raised)}
.marker .name{position:absolute;left:calc(100% + 5px);top:50%;translate:0 -50%;white-space:nowrap;max-width:17rem;overflow:hidden;text-overflow:ellipsis;font-size:.8rem;font-weight:600;line-height:1.2;background:color-mix(in srgb,var(--raised) 82%,transparent);border-radius:4px;padding:1px 5px}
.leftward .name{left:auto;right:calc(100% + 5px);text-align:right}
.pictured .picture{width:clamp(26px,6.4cqw,54px);height:auto;border:3px solid var(--c);border-radius:7px;box-shadow:0 0 0 2px var(--raised)}
.pictured .number{position:absolute;left:-9px;top:-9px;min-width:22px;height:22px;font-size:.72rem;border-width:2px}
.crowded{display:none}
.marker.on{display:block;z-index:3}
.focused .marker:not(.on){opacity:.25}
.atlas figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.2rem 1.5rem;margin-top:.5rem;font-size:.88rem;min-height:1.8rem}
.atlas fieldset{border:0;margin:0;padding:0}
.js .atlas fieldset{display:flex;flex-wrap:wrap;gap:.2rem 1rem}
.atlas label{display:inline-flex;align-items:center;gap:.35rem;cursor:pointer;min-height:1.6rem}
.atlas input{accent-color:var(--accent);margin:0}
.scale i{display:inline-block;width:4rem;height:.6rem;border-radius:3px;background:linear-gradient(90deg,var(--unsure),var(--sure));vertical-align:middle}
.ends{font-size:.8rem}
.key h3{margin:0}
.key .hint{font-size:.85rem;line-height:1.4;margin:.2rem 0 .5rem}
.key ul{list-style:none;margin:0;padding:2px;max-height:36rem;overflow-y:auto}
.key button{display:flex;width:100%;gap:.6rem;align-items:center;font:inherit;font-size:.88rem;line-height:1.25;text-align:left;color:inherit;background:none;border:0;border-radius:6px;padding:.22rem .4rem;cursor:pointer}
.key .name{flex:1}
.key .picture{width:auto;height:26px;border-radius:3px}
.key .size{color:var(--soft)}
.key button:hover,.key button.on{background:var(--faint)}
.key button.on .size,.key button:hover .size{color:var(--ink)}
.key button[aria-pressed=true]{background:var(--ink);color:var(--paper)}
.key button[aria-pressed=true] .size{color:var(--paper)}
`;

const cards = `
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1.2rem;margin-top:1.2rem}
.cards.tables{grid-template-columns:repeat(auto-fill,minmax(min(100%,29rem),1fr))}
.cards.folded{grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:.35rem .7rem}
.folded .card[open]{grid-column:1/-1;padding-bottom:1rem}
.card{background:var(--raised);border:1px solid var(--rule);border-radius:10px;padding:1rem 1.1rem 1.1rem;min-width:0;scroll-margin-top:3.5rem;container-type:inline-size}
.card:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.folded .card{padding:.35rem .9rem}
.card header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.2rem 1rem}
.folded summary{display:flex;align-items:center;gap:.7rem;min-height:1.9rem}
.folded summary::before{content:"▸";color:var(--soft)}
.folded [open]>summary::before{content:"▾"}
.folded summary h3{flex:1}
.card h3{margin:0;display:flex;align-items:center;gap:.55rem;font-size:1.08rem}
.folded h3{font-size:.95rem}
.card .size{color:var(--soft);font-size:.9rem}
.share{display:block;flex-basis:100%;height:4px;border-radius:2px;background:linear-gradient(90deg,var(--c) calc(100%*var(--share)),var(--faint) 0)}
.top{display:flex;gap:1.2rem;align-items:flex-start;margin-top:.9rem}
.exemplar .picture{width:112px;height:auto}
.exemplar figcaption{font-size:.78rem;line-height:1.3;margin-top:.3rem;max-width:112px}
.exemplar.line{flex:1.4;min-width:0}
.exemplar.line figcaption{max-width:none}
.profile{display:block;width:100%;height:64px}
.profile .bars{stroke:var(--ink);stroke-width:.7}
.profile .axis{vector-effect:non-scaling-stroke}
.sure{flex:1;min-width:0}
.folded .pictures{grid-template-columns:repeat(auto-fill,60px)}
.tables .sure{display:flex;gap:1.4rem;align-items:center}
.tables .sure .histogram{flex:0 0 10.5rem}
.histogram{max-width:11rem}
.histogram rect{fill:var(--soft)}
.histogram svg text{font-size:7.5px}
.histogram figcaption{font-size:.84rem;line-height:1.3;margin-top:.1rem}
.histogram b{color:var(--ink)}
.next{font-size:.84rem;margin:.5rem 0 0;color:var(--soft)}
.pair{white-space:nowrap;color:var(--ink)}
.card table{width:100%;margin-top:.9rem}
.card td,.card th{font-size:.84rem}
.card thead th{font-size:.76rem}
.card th:last-child,.card td:last-child{padding-right:0}
.card tbody th{line-height:1.25}
.card caption{font-size:.8rem;font-weight:600;padding:0}
.card .against{white-space:nowrap}
.against span{display:inline-block;min-width:3em;margin-left:.3rem}
.diverging{display:inline-block;width:4.4rem;height:.7em;vertical-align:middle;position:relative}
.diverging::after{content:"";position:absolute;left:50%;top:-.3em;bottom:-.3em;border-left:1px solid var(--soft)}
.diverging::before{content:"";position:absolute;top:0;bottom:0;left:50%;width:calc(50%*var(--share));background:var(--c);border-radius:0 2px 2px 0}
.diverging.less::before{left:auto;right:50%;border-radius:2px 0 0 2px}
.features tbody th{min-width:6.4rem}
.rows thead th{line-height:1.25;vertical-align:bottom}
.rows tbody th{min-width:0;font-weight:400;white-space:nowrap}
.pictures{list-style:none;display:grid;grid-template-columns:repeat(5,1fr);gap:5px;margin:0;padding:0}
.pictures .picture{width:100%;height:auto}
.pictures .next{display:flex;justify-content:center;align-items:center;gap:.2em;font-size:.74rem;margin:.1rem 0 0}
.pictures .badge{font-size:.68rem;border-width:2px}
`;

const narrow = `
@media (max-width:52rem){.atlas{grid-template-columns:1fr}.key ul{max-height:22rem;columns:2 11rem;column-gap:.6rem}}
@media (max-width:34rem){body{font-size:.97rem}.marker .name{display:none}.card{padding:.85rem .8rem}.top{gap:.9rem}.making{grid-template-columns:1fr;gap:0}.making dd{margin-bottom:.7rem}}
@container (max-width:24rem){.spare{display:none}.diverging{width:2rem}.features tbody th{min-width:5.4rem}.card td,.card th{padding-right:.45rem}.against span{min-width:2.5em}.card thead .against{white-space:normal}}
@container (max-width:30rem){.pictured .number{min-width:17px;height:17px;font-size:.62rem;padding:0 .2em;left:-10px;top:-10px}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media (forced-colors:active){.share,.diverging::before,.confusion td,.scale i{forced-color-adjust:none}}
`;

const paper = `
@media print{
@page{margin:14mm}
body{font-size:9.5pt;background:none}
nav,.skip,.js .scripted{display:none!important}
main,header.title,footer{max-width:none;padding-left:0;padding-right:0}
.chart canvas{display:none}
.drawn .sketch{visibility:visible}
.badge,.share,.diverging,.diverging::before,.confusion td,.picture,.number{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.card,.fact,.curve,figure,pre,tr,.notices{break-inside:avoid}
.facts{grid-template-columns:repeat(4,1fr);gap:1rem}
.atlas{grid-template-columns:1fr}
.key ul{max-height:none;columns:3}
.key li{break-inside:avoid}
h2,h3,h4{break-after:avoid}
.cards,.cards.tables{grid-template-columns:1fr 1fr;gap:.8rem}
.cards.tables,.cards.folded{grid-template-columns:1fr}
.wide{overflow:visible}
details::details-content{content-visibility:visible;display:block;height:auto}
pre{white-space:pre-wrap}
a{color:inherit}
}`;

export const layout = [map, cards, narrow, paper].join("");
