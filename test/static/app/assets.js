/** Answers as the assets of a worker do: pages without their extension, and 404 for the rest. */
const pages = { '/': '<h1>home</h1>', '/about': 'about', '/a.txt': '0123456789' }

export default {
  fetch(request) {
    const { pathname } = new URL(request.url)
    const headers = { etag: '"one"', 'content-type': pathname === '/a.txt' ? 'text/plain' : 'text/html' }
    if (pathname === '/index.html') return new Response(null, { status: 307, headers: { location: '/' } })
    if (!Object.hasOwn(pages, pathname)) return new Response('none', { status: 404 })
    if (request.headers.get('if-none-match') === '"one"') return new Response(null, { status: 304, headers })
    return new Response(pages[pathname], { headers })
  },
}
