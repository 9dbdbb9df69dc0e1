/** Fields of one connection (RFC 9110 §7.6.1), and those that proxies used to treat so. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-(?:connection|authenticate|authorization|authentication-info)|te|trailer|transfer-encoding|upgrade|http2-settings)$/

/** The fields that may go on to the next hop: none of the connection's, and none that `Connection` names. */
export const endToEnd = (headers: Headers): [string, string][] => {
  const named = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/)
  return [...headers].filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name))
}
