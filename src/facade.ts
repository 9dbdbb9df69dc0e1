export { Config, type ConfigFacade, Route } from './facade/built-in.ts'
export { createFacade, setFacadeContainer, withFacades } from './facade/create-facade.ts'
