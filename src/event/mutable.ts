/** For what is filled in field by field: to spread large objects together takes longer than most of an event does. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
