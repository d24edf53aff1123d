/** Output of `parcel-desk quote --weight 900 --to SE-11122` at the last commit of the sample. */
export const SAMPLE_TRACE = `file:///srv/parcel-desk/src/surcharges.js:3
  return rates.surcharges.get(zone.id).cents;
                                      ^

TypeError: Cannot read properties of undefined (reading 'cents')
    at surchargeFor (file:///srv/parcel-desk/src/surcharges.js:3:39)
    at quote (file:///srv/parcel-desk/src/quote.js:11:21)
    at file:///srv/parcel-desk/bin/parcel-desk.js:13:55
    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)
    at async node:internal/modules/esm/loader:647:26
    at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:101:5)

Node.js v24.21.0`;
