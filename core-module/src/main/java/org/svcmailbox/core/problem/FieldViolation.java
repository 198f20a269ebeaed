package org.svcmailbox.core.problem;

/**
 * One field of a request that cannot be accepted.
 *
 * @param field the field's path as the client wrote it, such as {@code messages[3].topic}
 * @param message what is wrong with it, without repeating the value
 */
public record FieldViolation(String field, String message) implements java.io.Serializable {}
