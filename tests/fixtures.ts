/** Builders for tests: plain functions, fresh each call, fixed ids, no clock. */
export {};
