/** The last part of docs/benchmarks.md: what profiles say of the rows in which a peer is ahead. */
export const BEHIND = `## Where sluice is behind and why

The figures of this part are from a shared machine with two cores and a load of 5 to 35. They are rough, and only
those of one run compare. "By hand" is a server that differs in nothing but the named part.

**POST on Deno.** One run: sluice 0.55, hono 0.67, h3 0.81, elysia 0.42. By hand, µs for a request: \`json()\` 5.4,
\`text()\` 6.5, \`arrayBuffer()\` 6.5, \`bytes()\` 6.6; \`json()\` and one header 5.9, and three headers 6.3. h3 calls
\`json()\`, hono \`text()\`, and neither reads a header. sluice reads \`Content-Type\` for the 415, \`Content-Length\` and
\`Transfer-Encoding\` for the 413, and keeps the bytes, so that a body can be read again. The profile shows what a
header costs: each \`get\` is a call into Deno's server, and once \`request.headers\` was touched, Deno copies all headers
when the response is sent (\`cacheRequestHeaders\`) and waits for one more promise. The garbage collector has 21 % of
the busy time; no function of sluice has more than 3 %, other than parsing JSON. Two designs were tried: \`text()\`
instead of bytes loses malformed bytes, so it was not used; \`bytes()\`, with fewer promises and without \`Headers.has\`,
which copies all headers too, made no difference that could be measured. Later, two promises fewer for each answer that
\`listen\` may have to cut short: 13.5 → 12.5. Increments of that run: a response alone 7.2, \`json()\` 8.2, three headers
and \`bytes()\` 9.9, context and validation 11.2, \`listen\` 12.0.

**Paths with two segments on Deno.** Deno joins \`Host\` and target and checks neither, so a path with a second slash needs
a look at the \`Host\` header; without it, a client chooses the route by its \`Host\`, past the rules of a proxy in front.
hono and h3 do not check. Increments by hand, µs for a request to \`/users/42?q=hello\`: 8.0 without, 8.6 with
\`headers.get\`, 9.6 with \`URL.canParse\` of the host; cutting and checking the path cannot be measured. So a host that
was valid last is not parsed again: sluice 10.6 → 9.1 in one run, where hono takes 8.3 and elysia 7.7. What is left: the
header 0.6 (once \`request.headers\` was read, Deno answers through a promise and copies all headers), and router, context
and \`ctx.query\` 0.5. Two designs that do not touch the header were tried by hand, 10.2 without a check and 12.3 with it:
reading through an object that inherits from the request 18.8, and through a second \`Request\` 27.4.

**POST on Bun.** One run: sluice 0.66, hono 0.73, elysia 0.80, h3 0.86. By hand, µs for a request: \`json()\` 6.5,
\`bytes()\` 6.9, \`text()\` 6.9, \`arrayBuffer()\` 7.4; three headers add 0.3. sluice used \`arrayBuffer()\` in that run, and
uses \`bytes()\` since. Since then the body is converted in the turn in which it arrives, three promises fewer: 41.5 → 37.2 µs for a request on
a busy machine, the least of 11 interleaved rounds; on Node, a POST allocates 2,740 bytes more than by hand instead of
3,150. A profile of what is left on Bun: creating requests and responses 35 %, reading the body 6 %, JSON 8 %, headers
6 %, decoding 4 %, no function of sluice above 4 %.

**Text and headers on Bun.** To create a response takes 0.15 µs without headers, 0.28 with a header map and 0.42 with a
record. Bun sends a text without a type as plain text, and elysia relies on that. Two designs were tried: that alone,
which hides the type from middleware; and a subclass whose \`headers\` sets the type for whoever looks, which is used.
The least of 13 interleaved rounds, on a busy machine: text 14.4 → 13.2 µs for a request, security headers and CORS 19.7
→ 17.2. Asking the server for its port, for the Host check, had taken a twelfth of a request; it is asked once. What a
profile shows besides: reading \`request.url\` for that check 12 % of the time in JavaScript, which elysia does
not do, and the context 9 %. Later, one interleaved run of ten rounds: by hand 3.1, with a look at the URL 3.3, elysia
3.4, sluice 3.9 with Bun's router for static paths and 3.8 without it, so that is gone. A text or JSON whose headers
nobody has looked at is copied, and loses no field, without making them: security headers and CORS 1.35 → 0.83 µs in
the process, 0.84 → 0.97 of the server by hand, POST behind helmet and CORS 0.77 → 0.85.

**JSON on Bun and Deno.** elysia gives the value to \`Response.json\`. sluice keeps the text, so that \`etag\`, \`cache\` and
HEAD need no stream. Two designs were tried, ns for a response: on Bun, \`Response.json\` with the text beside it 486 and
a text with a shared header map, as now, 463 (\`Response.json\` alone 372, a record of headers 495, no type at all 217,
but Bun would send that as plain text); on Deno, \`Response.json\` and the text 177 and a record, as now, 180 (alone 103,
a header map 740, a list 376). Neither gains. By hand, µs for a request on Bun, the least of 7 rounds: \`Response.json\`
8.1, text and header map 8.5, and the path 8.6; sluice 9.1. On Deno: \`Response.json\` 7.2, a record 7.5, with a look at method, path and status 8.2; sluice 8.9,
hono 8.3, elysia 8.2. What is left is the context, the chain and the check of the \`Host\`.

**Text on Deno.** The same run: by hand with a type 8.0, without 7.5; method and path 7.4; sluice 7.7 by
\`Deno.serve(app.fetch)\` and 8.3 by \`listen\`, hono 8.1, elysia 7.7. \`listen\` adds the check of the \`Host\`, \`waitUntil\`
and the end of streams at shutdown. Two designs of it, fields assigned one by one and no check of the URL, were within
the noise of the machine (8.0 and 8.0 in a run in which the same code twice had 8.0 and 8.9).

**10 MB stream out on Bun.** The stream that the server by hand and h3's row give to Bun is the same, and in one table
they were 1.00 and 1.38: differences below a third are noise. By hand, µs for a stream, the least of 5 rounds: \`pull\`
1,556; a generator behind an \`async pull\` 1,600, behind a synchronous one 1,556, with a queue of one block 1,652; four
blocks for each \`pull\` 1,548; a stream of the type \`direct\` 3,900. The synchronous one is used: 500 short texts take 99
µs in place of 142.

**1 MB JSON in on workerd and Bun.** The peers call \`json()\`, which parses inside the platform and keeps nothing; sluice
reads the bytes, so that a body can be read again and malformed UTF-8 is not lost. On workerd, µs for a request, the
least of 5 rounds: \`json()\` 4,078; \`text()\` 4,099; bytes and \`TextDecoder\`, as now, 4,270; \`arrayBuffer()\` and
\`TextDecoder\` 4,278; \`Buffer.toString\` 4,286; \`new Response(bytes).json()\` 4,706. Reading alone takes 513 of it,
decoding 190, and the rest is \`JSON.parse\`. None of the designs that keep the bytes gains.

**Events to 100 clients on Bun and Deno.** The server put a stream of its own around each stream of events, to end it
when it closes, so each event went through two queues and a promise; and each client's copy of an event was framed and
encoded anew. The line of events ends itself now, and the bytes of the last event are kept, as on Node: 0.76 → 0.90 of
the server by hand on Bun (elysia 1.01 in that run) and 0.56 → 0.79 on Deno (hono 0.63). What is left is the count of
waiting bytes for each client, which by hand nobody keeps.

**POST on workerd.** A profile, without inlining, of the parts that sluice asks the platform for, in parts of the busy
time: the body 15 %, the garbage collector 16, \`cf\` 7, the first header 5, the response 6; no function of sluice has
more than 2 %. \`cf\` was read to know a request of workerd's own server, whose length is right, and is parsed for each
request; its redirect mode says the same for a twentieth of that, and is used: least of 8 interleaved rounds on a busy
machine 102 → 90 µs, median 119 → 114. The table was measured before. Bodies by hand, in parts of the same profile:
\`arrayBuffer()\` 155, \`text()\` 182, \`bytes()\`, as now, 186; over sockets no order of the three came twice.
**JSON and session on workerd.** By hand, µs, the least of 5 rounds: \`Response.json\` 42, a text with a record, as now, 49,
with a header map 45, with a list 50, no type 40; path and method add nothing that can be measured. Two runs of the
same code differ by as much. hono signs cookies with Web Crypto too.
**Parameters and query on workerd.** In a run apart, with the same code twice: sluice 1.11 and 1.11, hono 1.08, h3 1.02. The
order of the table, in which h3 is ahead, did not come again.

**Parameters and query on Deno and Bun.** \`ctx.query\` is a \`URLSearchParams\`. To create one and read one name takes
0.8 µs on Deno and 0.4 µs on Bun, of 6.0 and 6.5 for a request. A class that extends it and searches the text takes
0.1 and 0.2 µs. It is not used on Bun, because \`new Response(ctx.query)\` and \`new Request(url, { body: ctx.query })\`
read the list inside the platform and would send an empty body. On Deno these two work, and copies and assignments to
\`url.search\` too; \`URLSearchParams.prototype.get.call(ctx.query, name)\` would return \`null\`, and \`console.log\` would
print an empty list. It was not built there.

**Security headers and CORS on Deno.** elysia passes a record of all headers to \`new Response\`, which Deno turns into
its own form at once. sluice adds eleven headers to a response that the handler has made: 22 % of the busy time is
Deno writing them, 6 % \`set\`, 8 % the check of their characters, 6 % \`addTo\`. Two designs were tried by hand: all
headers in one record takes 10.8 µs instead of 11.2, and a second response with that record, after a look at whether
the handler's has other headers, 16.6 µs (2 rounds). Later, ns for eleven fields on a response: a look and \`set\` 9,800
to 13,100, a look and \`append\`, as now, 9,800 to 10,600, \`append\` alone 4,400 to 6,900, one record 10,700 to 20,700. A
response that knows its type without a look at its headers, as on Bun, has 12.7 → 11.6 µs for security headers and CORS, and
no difference that can be measured for a guarded POST: Deno makes a response of its own for a status other than 200, and
a copy with it. It was not worth 40 lines.

**Events to 100 clients on Node.** 43 % of the busy time is \`writev\` of the system, and 45 % by hand. fastify and
the server by hand write a short text; sluice made the frame and its bytes for each client. Two designs were tried in
the built files, µs for an event on Node 20 and 24 in one run: before 12.1 and 7.1; the text passed to the socket
without \`TextEncoder\` 11.6 and 6.2; the bytes of the last event kept for the next client 9.6 and 6.2. The last one
is used. By hand 7.3 and 5.6, fastify 8.6 on Node 20. So the row was 0.61 and 0.79 in that run, and would be 0.76 and
0.91; fastify had 0.85 on Node 20. Later, an event became one buffer with the frame of its chunk, where \`write\`
passes four pieces to the system: by hand 15.6 and 12.0 for an event to each of 4,000 clients. In a run on a busy
machine, Node 20 then had 1.12 of the server by hand and fastify 1.41.

**Session read.** fastify signs with \`node:crypto\`, and sluice did with Web Crypto, which passes each text to another
thread and back. Both give the same signature, so Node and Bun sign with \`node:crypto\` now; old build and new, interleaved,
µs for a request: Node 24 45.7 and 22.8, Node 20 47.3 and 25.2, Bun 32.5 and 18.0. On Deno, which does too since, a
signature takes 7 to 15 µs instead of 15 to 19. The digests of \`etag\`, \`apiKey\` and \`webhook\` followed; µs for a request
without a server, on Node 20: 30 and 18, 33 and 17, 212 and 75.

**1 MB JSON in on Node.** Half of the busy time is \`JSON.parse\`, 18 % the garbage collector, 6 % decoding, and 8 % was
copying the chunks. Two designs were tried. \`Buffer.toString\` instead of \`TextDecoder\`: 442 and 439 µs, no difference.
One allocation as soon as an eighth of an announced length is there: 242 µs of copying instead of 522 in chunks of 64
kB, 124 instead of 284 in chunks of 16 kB. It is used, and would be 3 % of the row, which was not measured again;
fastify is 12 % ahead in the tables.

**10 MB stream out on Node.** \`writev\` has 53 % of the busy time, and 77 % by hand. The rest was the web stream
between the generator and the socket, with two promises for each block of 64 kB; fastify's row passes the generator to
a stream of Node. Two designs were tried on Node 20, µs for a request in one run: before 3,750; the source of
\`stream()\` read directly, with the web stream only locked, 3,293; the same and no flush of the headers before a
first block that is there at once 4,074, so no gain. The first is used. A stream of three short texts takes 59 µs
instead of 75 (55 with the second design), and 500 texts of an async generator 0.90 ms instead of 2.15. Pieces of up
to 16 kB since go out with the frame of their chunk in one buffer: 500 texts 1,397 → 1,129 µs on Node 20 and 652 → 559
on Node 24, 20 blocks of 4 kB 97 → 78 and 66 → 55; larger ones would have to be copied.

**POST on Node.** Half of the busy time is \`writev\`, 6 to 10 % the garbage collector, and no function of sluice has
more than 3 %. Two designs were tried after the table was measured: chunks taken where Node's parser pushes them, before
the stream emits them, with the method deleted afterwards, which made the message slow: no gain; the same with the
method put back: 0.73 → 0.80 of the server by hand, on average of six interleaved runs on Node 20 and 24 with a load of
0 to 12, in which fastify had 0.84. It is used. What is left: a context, a promise for the body and one for the
validation, where fastify calls back.

**304 of a file on Node.** \`sirv\` sends a 304 without headers, where RFC 9110 §15.4.5 asks for \`ETag\` and
\`Cache-Control\`, and with \`dev\` it calls \`statSync\`, which holds up all requests while a network disk does not
answer. Headers that are created once for each file take 0.64 of the CPU time before.

**\`z\`: a schema of ten fields on Node 24.** It took 6.0 of valibot's time. A profile: 33 % in \`flatMap\`, in the
\`check()\` that every method calls; 13 % in keeping a bound copy of \`optional()\` and its like on each step of a chain;
23 % in the field \`waits\` and the walk of \`new\` from class to class; the rest is spread. One interleaved run of the
designs, each with those before it, ns: before 3,502; without \`flatMap\` 2,096; only what parses is kept 1,632; no
field, and \`Reflect.construct\` of the first class, 1,305 (no field and \`new\` 4,931). An issue that is copied when a
check fails, and not when it is made, saves 400 of these. All are used: 2.2 of valibot's time, and 1.34 to 1.39 in two
runs of 25 s on a quiet machine. On Node 20, 14,052 → 1,588, and valibot 9,480. A class that is known by a property and
not by a \`WeakMap\` is no faster. What is left: 23 schemas where valibot makes 10, and stores to objects of many
classes in one constructor, 23 %.

**\`z\`: an array of 20 objects on Node 24.** It took 1.12 to 1.15 of the time of zod 4, which writes code. A third was
the loop over the keys, a fifth storing keys in the output, 12 % the array. Designs: fields that hold what makes them
plain, and arrays without checks that ask none, together 0.90 to 0.93 of the time before, in four rows with
compilation in the same thread: used. Items of an array copied one by one instead of by \`[...]\`: 4 % slower. Apart, an
object of five keys, ns: stored key by key in an object of its own class 58, in \`{}\` 88, in a copy of a template by
\`Object.assign\` 65 and by spread 199; \`Object.assign({}, input)\` alone 62 and \`Object.fromEntries\` 449. None is
faster, and a copy of the input would take symbols and getters along. It takes 1.01 to 1.07 of zod 4's time with
compilation in the same thread, and 1.20 to 1.23 without, in two runs of 25 s on a quiet machine. On an AMD EPYC,
in five runs of 30 to 60 s, the array takes 1.00 to 1.04 of zod 4's time, and the schema of ten fields 2.6 to 2.7 of
valibot's. Schemas that \`sluice compile\` has written need less.
`
