package org.svcmailbox.web.json;

/**
 * A request's JSON object as a record. All components are nullable; the conversion to core types
 * checks them.
 */
public interface JsonRequest {}
