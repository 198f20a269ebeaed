package org.svcmailbox.core.problem;

/** A refused request field, such as {@code messages[3].topic}; never repeats the value. */
public record FieldViolation(String field, String message) implements java.io.Serializable {}
