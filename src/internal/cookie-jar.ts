import type { Context } from '../context.ts'

/** The `Set-Cookie` lines of a response in the making: a field list, and where in it each cookie stands. */
interface Jar {
  readonly list: string[]
  readonly places: Map<string, number>
}

const jars: WeakMap<object, Jar> = /* @__PURE__ */ new WeakMap()

/**
 * Put a line into the one field list of this request. A cookie that was set before is replaced: two lines of one name
 * are against RFC 6265bis §4.1.1, and which of them would win depends on the order of finalizers.
 */
export const put = (ctx: Pick<Context, 'onResponse'>, cookie: string, line: string): void => {
  const jar = jars.get(ctx) ?? open(ctx)
  const place = jar.places.get(cookie)
  if (place !== undefined) {
    jar.list[place] = line
  } else {
    jar.places.set(cookie, jar.list.push('set-cookie', line) - 1)
  }
}

const open = (ctx: Pick<Context, 'onResponse'>): Jar => {
  const jar: Jar = { list: [], places: new Map() }
  jars.set(ctx, jar)
  ctx.onResponse(() => {
    // from here on a cookie that a later edit sets goes into a new jar, which runs after that edit
    jars.delete(ctx)
    ctx.onResponse(jar.list)
  })
  return jar
}
