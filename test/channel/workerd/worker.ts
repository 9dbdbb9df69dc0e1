import { createApp } from '../../../src/app.ts'
import { channelObject, durableObjectChannel } from '../../../src/channel/durable-object.ts'
import { createChannel } from '../../../src/channel.ts'
import { webSocket } from '../../../src/websocket.ts'
import { channelContract } from '../contract.ts'
import { runTests } from './vitest.ts'

/** The object that the binding TOPICS keeps events with. A request may make it fail, as an update of its code does. */
export class Topic extends channelObject() {
  /** How many objects have been made. */
  static made = 0
  readonly #state: { abort(why: string): void }

  constructor(state: any) {
    super(state) // any: workerd's own state
    this.#state = state
    Topic.made++
  }

  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/abort') this.#state.abort('aborted by the test')
    return super.fetch(request)
  }
}

export class SmallTopic extends channelObject({ keep: 20 }) {}

// any: the platform's bindings
const channelOf = (ctx: any) => createChannel<number>(durableObjectChannel(ctx.env.TOPICS), { queueLimit: 64 })

export default createApp()
  .get('/contract', async (ctx: any) => {
    channelContract({ open: async () => durableObjectChannel(ctx.env.SMALL), shared: true })
    return ctx.json(await runTests())
  })
  .post('/topics/:topic', async (ctx) => ctx.text(await channelOf(ctx).publish(ctx.params.topic, await ctx.json())))
  .get('/topics/:topic', (ctx) => ctx.sse(channelOf(ctx).stream(ctx, ctx.params.topic)))
  .get(
    '/rooms/:topic',
    webSocket((ctx) => ({
      async open(socket) {
        const said = channelOf(ctx).subscribe(ctx.params.topic, { signal: socket.signal })
        await said.ready
        const pass = async () => {
          for await (const { event } of said) if (!(await socket.send(`${event}`))) return
        }
        pass().catch(() => socket.close(1011, 'the channel has ended'))
      },
      message: (_, message) => channelOf(ctx).publish(ctx.params.topic, Number(message)),
    })),
  )
  .get('/made', (ctx) => ctx.json(Topic.made))
  .post('/abort/:topic', async (ctx: any) => {
    const { TOPICS } = ctx.env
    await TOPICS.get(TOPICS.idFromName(ctx.params.topic))
      .fetch('https://channel/abort')
      .catch(() => {})
    return ctx.text('aborted')
  })
