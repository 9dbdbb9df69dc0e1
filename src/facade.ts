export { Config, type ConfigFacade } from './facade/config.ts'
export { createFacade, setFacadeContainer, withFacades } from './facade/create-facade.ts'
export { Route } from './facade/route.ts'
