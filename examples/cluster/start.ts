import { up } from './up.ts'

const { port, supervisor, down } = await up(Number(process.env.PORT || 8080), { WORKERS: '4', MAX: '100' })
console.log(`Four processes behind http://127.0.0.1:${port}`)
console.log(`Their events:      curl -N http://127.0.0.1:${port}/live/news`)
console.log(`Publish one:       curl -d '"hello"' http://127.0.0.1:${port}/live/news`)
console.log(`Replace them all:  kill -HUP ${supervisor.pid}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, down)
