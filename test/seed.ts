import fc from 'fast-check'

/**
 * Property tests draw the same inputs in every run, so that a red run is the change's doing and can be repeated.
 * `SLUICE_SEED=random` (or a number) draws others: `npm run explore` does.
 */
const asked = process.env.SLUICE_SEED
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? 20_261_122) })
