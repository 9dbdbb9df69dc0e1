import findMyWay from 'find-my-way'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { Memoirist } from 'memoirist'
import { addRoute, createRouter as createRou3, findRoute } from 'rou3'
import { compileRouter } from 'rou3/compiler'
import { createRouter } from '../../dist/router.js'

/** Nanoseconds per lookup, interleaved rounds, medians; then registration with the first match. `node test/bench/router.mjs [rounds]` */
const rounds = Number(process.argv[2] ?? 15)

const few = [
  ['GET', '/user'],
  ['GET', '/user/comments'],
  ['GET', '/user/avatar'],
  ['GET', '/user/lookup/username/:username'],
  ['GET', '/user/lookup/email/:address'],
  ['GET', '/event/:id'],
  ['GET', '/event/:id/comments'],
  ['POST', '/event/:id/comment'],
  ['POST', '/map/:location/events'],
  ['GET', '/status'],
  ['GET', '/very/deeply/nested/route/hello/there'],
  ['GET', '/a/:b/c/:d/e/:f'],
  ['GET', '/static/*'],
  ['DELETE', '/event/:id'],
]
const many = [
  ...few,
  ...Array.from({ length: 486 }, (_, index) => ['GET', index % 2 ? `/r${index}/items/:id` : `/r${index}/items/list`]),
]

const lookups = [
  ['static', 'GET', '/user'],
  ['static deep', 'GET', '/very/deeply/nested/route/hello/there'],
  ['param', 'GET', '/user/lookup/username/hey'],
  ['deep params', 'GET', '/a/one/c/two/e/three'],
  ['wildcard', 'GET', '/static/index.html'],
  ['miss', 'GET', '/nothing/here'],
]

const contenders = {
  sluice: (routes) => {
    const router = createRouter(routes.map(([method, path]) => ({ method, path, value: path })))
    return (method, path) => router.find(method, path)
  },
  memoirist: (routes) => {
    const router = new Memoirist()
    for (const [method, path] of routes) router.add(method, path, path)
    return (method, path) => router.find(method, path)
  },
  'rou3 compiled': (routes) => {
    const router = createRou3()
    for (const [method, path] of routes) addRoute(router, method, path.replace(/\*$/, '**'), path)
    return compileRouter(router)
  },
  rou3: (routes) => {
    const router = createRou3()
    for (const [method, path] of routes) addRoute(router, method, path.replace(/\*$/, '**'), path)
    return (method, path) => findRoute(router, method, path)
  },
  'find-my-way': (routes) => {
    const router = findMyWay()
    for (const [method, path] of routes) router.on(method, path, () => {})
    return (method, path) => router.find(method, path)
  },
  'hono RegExpRouter': (routes) => {
    const router = new RegExpRouter()
    for (const [method, path] of routes) router.add(method, path, path)
    return (method, path) => router.match(method, path)
  },
}

let sink
const time = (find, method, path, count) => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < count; index++) sink = find(method, path)
  return Number(process.hrtime.bigint() - start) / count
}
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

for (const [title, routes] of [
  ['14 routes', few],
  ['500 routes', many],
]) {
  const finders = Object.entries(contenders).map(([name, make]) => [name, make(routes)])
  for (const [, find] of finders) for (const [, method, path] of lookups) time(find, method, path, 20_000)
  for (const [what, method, path] of lookups) {
    const costs = new Map(finders.map(([name]) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [name, find] of finders) costs.get(name).push(time(find, method, path, 50_000))
    }
    console.log(
      `${title.padEnd(11)} ${what.padEnd(12)} ${[...costs].map(([name, list]) => `${name} ${median(list).toFixed(0)}`).join(' · ')} ns`,
    )
  }
  const costs = new Map(Object.keys(contenders).map((name) => [name, []]))
  for (let round = 0; round < rounds * 4; round++) {
    for (const [name, make] of Object.entries(contenders)) {
      const start = process.hrtime.bigint()
      sink = make(routes)('GET', '/user')
      costs.get(name).push(Number(process.hrtime.bigint() - start) / 1000)
    }
  }
  console.log(
    `${title.padEnd(11)} register + first match ${[...costs].map(([name, list]) => `${name} ${median(list).toFixed(0)}`).join(' · ')} µs`,
  )
}
if (sink === Math.PI) console.log(sink)
