/** The style sheet of the inspector and of the pages about errors, in light and dark. */
export const STYLE: string = `:root{color-scheme:light dark;
--ink:light-dark(#1c2024,#e6e8eb);--soft:light-dark(#5b636c,#9aa3ad);--ground:light-dark(#fbfcfd,#121416);
--card:light-dark(#fff,#1a1d20);--line:light-dark(#e1e5e9,#2b3035);--link:light-dark(#0b57d0,#8ab4f8);
--good:light-dark(#1a7f37,#5cc47d);--warn:light-dark(#9a5b00,#e0a84a);--bad:light-dark(#c62828,#ff8a80)}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
header,main{max-width:72rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:1rem}
header strong{font-size:1.05rem}
nav{display:flex;gap:1.25rem}
nav a{padding:.5rem 0;color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}
nav a:hover{color:var(--ink)}
nav a[aria-current]{color:var(--ink);border-color:var(--link)}
main{padding-top:.75rem;padding-bottom:3rem}
h1{font-size:1.25rem;margin:1rem 0 .25rem;overflow-wrap:anywhere}
h1.mono{font-size:1rem;font-weight:600}
h2{font-size:1rem;margin:1.75rem 0 .5rem}
p{margin:.25rem 0 .75rem}
a{color:var(--link)}
.soft{color:var(--soft)}
code,pre,.mono,td:first-child,.path{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.card+p{margin-top:.6rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.45rem .9rem;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child>td,tr:last-child>th[scope=row]{border-bottom:0}
th{font-weight:600;font-size:13px;color:var(--soft);white-space:nowrap}
th[scope=row]{font-weight:400;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
td{overflow-wrap:anywhere}
.whole{overflow-wrap:normal}
td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.path a{text-decoration:none;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.path a:hover{text-decoration:underline}
.good{color:var(--good)}.warn{color:var(--warn)}.bad,.reason{color:var(--bad)}
mark{background:light-dark(#ffd7d7,#5a2020);color:inherit;display:inline-block;min-width:100%}
pre{margin:0;padding:.9rem;white-space:pre-wrap;overflow-wrap:anywhere}
.steps td:first-child{white-space:nowrap}
.steps svg{display:block;width:100%;min-width:6rem;height:1.25rem}
.steps rect{fill:var(--line)}.steps rect.own{fill:var(--link)}.steps .failed rect.own{fill:var(--bad)}
.d1{padding-left:.8rem}.d2{padding-left:1.6rem}.d3{padding-left:2.4rem}.d4{padding-left:3.2rem}.d5{padding-left:4rem}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0 .75rem}
input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:.4rem .7rem;min-height:2.5rem}
input{flex:1 1 7rem;min-width:0}
button{cursor:pointer;background:var(--link);border-color:var(--link);color:light-dark(#fff,#10151c);font-weight:600}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.tools{display:flex;flex-wrap:wrap;gap:0 .5rem}.tools form:first-child{flex:1}
button.plain{background:var(--card);color:var(--ink);border-color:var(--line);font-weight:400}
ol,ul{margin:0;padding:.6rem 1rem .6rem 2.25rem}li{padding:.15rem 0}form+.card{margin-bottom:1.25rem}
table.fields{table-layout:fixed}.fields td:first-child{width:16rem;color:var(--soft)}
.empty{padding:1.5rem .9rem;margin:0;color:var(--soft)}
@media(max-width:40rem){
th,td{padding:.4rem .6rem}
.wide{display:none}
header{gap:0 1rem}
.fields tr{display:block;padding:.4rem .6rem;border-bottom:1px solid var(--line)}.fields tr:last-child{border:0}
.fields td,.fields td:first-child{display:block;width:auto;padding:0;border:0}
.steps svg{min-width:3rem}.steps td:first-child{white-space:normal}
}
`

/** Reloads the list of requests when there are new ones, while the page is visible. */
export const SCRIPT = `(() => {
  let last = document.querySelector('main').dataset.last
  setInterval(async () => {
    if (document.hidden) return
    try {
      const now = await (await fetch('/__sluice/last', { cache: 'no-store' })).text()
      if (now === last) return
      const text = await (await fetch(location.href, { cache: 'no-store' })).text()
      if (document.activeElement?.name === 'find') return
      const main = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
      if (main === null) return
      document.querySelector('main').replaceWith(main)
      last = main.dataset.last
    } catch {}
  }, 1000)
})()
`
