/** The last part of docs/benchmarks.md: what profiles say of the rows in which a peer is ahead. */
export const BEHIND = `## Where sluice is behind and why

The figures of this part are from a machine with a load of 15 to 35. They are rough, and only those of one run compare.

**POST on Deno.** \`Request.json()\` takes the text of a served body at once; every other reader is slower. h3 calls
it, hono calls \`text()\`, and neither reads a header. sluice reads \`Content-Type\` for the 415 and
\`Content-Length\` for the 413, and keeps the bytes, so that a body can be read again. A server by hand that checks
the type has 0.94 with \`json()\`, 0.86 with \`bytes()\` and 0.84 with \`text()\`; in that run hono had 0.75, h3
0.80 and sluice 0.49. So reading is the smaller part. In a profile no function of sluice has more than 2 % of the
time, other than parsing and writing JSON. Two designs were tried. \`text()\` instead of bytes loses malformed
bytes, so it was not used. \`bytes()\`, with fewer promises and without \`Headers.has\`, which copies all headers on
Deno, made no difference that could be measured.

**POST on Bun.** With \`bytes()\` and fewer promises the row costs 44.2 µs; before it cost 51.7 µs (by hand 25.6 µs, 3
rounds). The table is older than this change.

**Parameters and query on Deno and Bun.** \`ctx.query\` is a \`URLSearchParams\`. To create one and read one name takes
0.8 µs on Deno and 0.4 µs on Bun. A class that extends it and searches the text takes 0.1 µs and 0.2 µs; it was only
measured alone, and is not used.
`
