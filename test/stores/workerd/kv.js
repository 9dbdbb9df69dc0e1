/** The service behind a KV binding: the protocol that workerd speaks to Cloudflare, on a map. */
const values = new Map()

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    const key = decodeURIComponent(pathname.slice(1))
    if (request.method === 'PUT') {
      const ttl = Number(searchParams.get('expiration_ttl'))
      if (ttl && ttl < 60) return new Response('Invalid expiration_ttl', { status: 400 })
      values.set(key, await request.text())
      return new Response()
    }
    if (request.method === 'DELETE') {
      values.delete(key)
      return new Response()
    }
    return values.has(key) ? new Response(values.get(key)) : new Response('Not Found', { status: 404 })
  },
}
