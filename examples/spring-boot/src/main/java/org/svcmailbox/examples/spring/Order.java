package org.svcmailbox.examples.spring;

/** An order, whose JSON travels. */
public record Order(String item, int count) {}
