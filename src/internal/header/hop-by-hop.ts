/** Hop-by-hop headers (RFC 9110 §7.6.1), and those that proxies used to treat as such. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-(?:connection|authenticate|authorization|authentication-info)|te|trailer|transfer-encoding|upgrade|http2-settings)$/

/** The headers that may be forwarded: no hop-by-hop headers, and none that `Connection` names. */
export const endToEnd = (headers: Headers): [string, string][] => {
  // A set: a client may name thousands, and send hundreds of others
  const connectionFields = new Set((headers.get('connection') ?? '').toLowerCase().split(/[\s,]/))
  return [...headers].filter(([name]) => !HOP_BY_HOP.test(name) && !connectionFields.has(name))
}
