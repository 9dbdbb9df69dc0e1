import harness from 'harness'

/** The script of the sandboxed frame: its policy, which the worker inherits, allows no connection. */
let worker: Worker | undefined

addEventListener('message', ({ data, source }) => {
  if (source !== parent) return
  if (data.kind === 'load') {
    worker?.terminate()
    const url = (code: string) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    worker = new Worker(url(harness))
    worker.onmessage = ({ data: message }) => parent.postMessage({ ...message, run: data.run }, '*')
    worker.onerror = (event) =>
      parent.postMessage({ kind: 'failed', run: data.run, text: event.message || 'The worker stopped.' }, '*')
    worker.postMessage({ bundle: url(data.code) })
  } else if (data.kind === 'ask') worker?.postMessage(data.ask)
  else if (data.kind === 'stop') {
    worker?.terminate()
    worker = undefined
  }
})
parent.postMessage({ kind: 'frame' }, '*')
