import { createApp } from 'sluice'

export const { fetch } = createApp().get('/', (ctx) => ctx.text('hello'))
