// The double underscores say that no code declares them.
// oxlint-disable no-underscore-dangle
declare const __FAIRLEAD_VERSION__: string | undefined;
declare const __FAIRLEAD_BUILD__: string | undefined;

/** Filled in by the build; running from source has neither. */
export const VERSION = typeof __FAIRLEAD_VERSION__ === 'string' ? __FAIRLEAD_VERSION__ : 'source';
export const BUILD = typeof __FAIRLEAD_BUILD__ === 'string' ? __FAIRLEAD_BUILD__ : 'source';
