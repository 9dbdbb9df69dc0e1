export { createSegmentRouter as createRouter } from '../../internal/route/segments.ts'
