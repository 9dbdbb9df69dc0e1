import { createServer } from 'node:http'
import next from 'next'
import { toNodeHandler } from 'sluice/to-node-handler'
import { app } from './app.js'

const pages = next({ dev: process.env.NODE_ENV !== 'production' })
await pages.prepare()
const answerPage = pages.getRequestHandler()
const answer = toNodeHandler(app, { fallthrough: true })

const port = Number(process.env.PORT || 3000)
createServer((request, response) => {
  answer(request, response, () => answerPage(request, response))
}).listen(port, () => console.log(`http://localhost:${port}`))
