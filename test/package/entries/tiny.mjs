import { createApp } from 'sluice/tiny'

export const { fetch } = createApp().get('/', (ctx) => ctx.text('hello'))
