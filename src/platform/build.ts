// The double underscores say that no code declares them.
// oxlint-disable no-underscore-dangle
declare const __FAIRLEAD_VERSION__: string | undefined;
declare const __FAIRLEAD_BUILD__: string | undefined;
declare const __FAIRLEAD_STAMP__: string | undefined;

/** Filled in by the build; running from source has neither. */
export const VERSION = typeof __FAIRLEAD_VERSION__ === 'string' ? __FAIRLEAD_VERSION__ : 'source';
export const BUILD = typeof __FAIRLEAD_BUILD__ === 'string' ? __FAIRLEAD_BUILD__ : 'source';
/** Which build this is, in an order: version, time of the build, and what it was made of. */
export const STAMP = typeof __FAIRLEAD_STAMP__ === 'string' ? __FAIRLEAD_STAMP__ : '0.0.0+0.source';
