export { createRouter } from 'sluice/router'
