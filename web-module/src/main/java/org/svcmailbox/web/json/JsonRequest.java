package org.svcmailbox.web.json;

/**
 * A request body's JSON object as a record. Its components are the fields that may be there, all of
 * them nullable: what is required and what its values may be is said where the record is turned
 * into core types.
 */
public interface JsonRequest {}
