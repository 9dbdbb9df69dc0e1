/** This repository has a lock of its own above, which Next would take for that of the application. */
export default { turbopack: { root: import.meta.dirname } }
