/** What the markdown plugin needs to know of a code block: package managers, and which programs a browser can run. */

/** A line of npm as the other package managers write it. */
export const MANAGERS: Readonly<Record<string, (line: string) => string>> = {
  npm: (line) => line,
  pnpm: (line) =>
    line
      .replace(/\bnpm (?:i|install) -D\b/g, 'pnpm add -D')
      .replace(/\bnpm (?:i|install)(?= [@\w])/g, 'pnpm add')
      .replace(/\bnpm (?=install\b|start|test|run)/g, 'pnpm ')
      .replace(/\bnpx /g, 'pnpm exec '),
  bun: (line) =>
    line
      .replace(/\bnpm (?:i|install) -D\b/g, 'bun add -d')
      .replace(/\bnpm (?:i|install)(?= [@\w])/g, 'bun add')
      .replace(/\bnpm (install|test)\b/g, 'bun $1')
      .replace(/\bnpm start/g, 'bun run start')
      .replace(/\bnpm run /g, 'bun run ')
      .replace(/\bnpx /g, 'bunx '),
  deno: (line) =>
    line
      .replace(/\bnpm (?:i|install)(?: -D)?(?= [@\w])/g, 'deno add')
      .replace(/(deno add)((?: [@\w/.-]+)+)/g, (_, add, names) => add + names.replace(/ (?=\S)/g, ' npm:'))
      .replace(/\bnpm install\b/g, 'deno install')
      .replace(/\bnpm (?:start|run (\S+))/g, (_, name) => `deno task ${name ?? 'start'}`)
      .replace(/\bnpm test\b/g, 'deno task test')
      .replace(/\bnpx /g, 'deno run -A npm:'),
}

/** A block of commands that becomes tabs: short, and nothing but what to type. */
export const isInstall = (info: string, content: string): boolean =>
  /^(?:sh|console)\b/.test(info) &&
  /^\s*(?:npm (?:i|install)|npx sluice)\b/m.test(content) &&
  !/^\$ /m.test(content) &&
  content.split('\n').length < 6

/** What needs a file system, a socket, a process or a package of its own. */
const NEEDS_MORE =
  /^sluice\/(?:context-storage|database|static|serve|load-env|to-node-handler|from-node-middleware|tracing|openapi\/reference|metrics\/prometheus|stores\/sql|channel\/(?:nats|postgres|redis)|z\/plugin|adapter|middleware\/jwt|sign-jwt|verify-jwt|websocket|proxy)\b/

/** The last line of a server; in the playground the application is exported instead. */
const LISTEN = /^(?:await )?app\.listen\([^\n]*\)$/m

/** True for programs that a browser can run: they import only sluice, and need nothing of a machine. */
export const runsInBrowser = (program: string): boolean => {
  const found = program.matchAll(/^(?:import|export)\s(?:[\w$*{},\s]*?\bfrom\s+)?['"]([^'"]+)['"]/gm)
  const imports = Array.from(found, ([, from]) => from!)
  const rest = program.replace(LISTEN, '')
  return (
    imports.length > 0 &&
    imports.every((from) => /^sluice(?:\/|$)/.test(from) && !NEEDS_MORE.test(from)) &&
    !/\.listen\(|\bprocess\.|\bDeno\.|\bBun\.|\bBuffer\b/.test(rest)
  )
}
