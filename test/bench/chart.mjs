const COLOURS = {
  sluice: '#2563eb',
  fastify: '#94a3b8',
  hono: '#f59e0b',
  h3: '#10b981',
  elysia: '#a855f7',
  sirv: '#ef4444',
}
const BAR = 9
const LEFT = 190
const WIDTH = 480

/** A bar chart of ratios as SVG: a group for each row, a bar for each contender, and a line at 1. */
export const chart = (runtime, found, rows, contenders) => {
  const names = Object.keys(rows).filter((name) => found[name])
  const present = contenders.filter((who) => names.some((name) => found[name].figures[who]))
  const largest = Math.max(1.2, ...names.flatMap((name) => present.map((who) => found[name].figures[who]?.ratio ?? 0)))
  const x = (ratio) => ((ratio / largest) * WIDTH).toFixed(1)
  const group = present.length * BAR + 10
  const height = names.length * group + 50
  const parts = names.flatMap((name, index) => {
    const top = 34 + index * group
    const bars = present.flatMap((who, place) => {
      const figure = found[name].figures[who]
      if (!figure) return []
      const y = top + place * BAR
      return [
        `<rect x="${LEFT}" y="${y}" width="${x(figure.ratio)}" height="${BAR - 2}" fill="${COLOURS[who]}"><title>${who} ${figure.ratio.toFixed(2)}</title></rect>`,
        `<text x="${LEFT + Number(x(figure.ratio)) + 4}" y="${y + BAR - 2}" font-size="8">${figure.ratio.toFixed(2)}</text>`,
      ]
    })
    return [`<text x="${LEFT - 8}" y="${top + group / 2}" text-anchor="end">${rows[name].title}</text>`, ...bars]
  })
  const legend = present.map(
    (who, index) =>
      `<rect x="${LEFT + index * 80}" y="10" width="10" height="10" fill="${COLOURS[who]}"/><text x="${LEFT + index * 80 + 14}" y="19">${who}</text>`,
  )
  const one = LEFT + Number(x(1))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 50} ${height}" font-family="sans-serif" font-size="11" fill="#334155" role="img" aria-label="CPU time by hand, divided by that of each framework, on ${runtime}">
<rect width="100%" height="100%" fill="#fff"/>
${legend.join('\n')}
<line x1="${one}" y1="28" x2="${one}" y2="${height - 16}" stroke="#334155" stroke-dasharray="3 3"/>
<text x="${one}" y="${height - 4}" text-anchor="middle">1: by hand</text>
${parts.join('\n')}
</svg>
`
}
