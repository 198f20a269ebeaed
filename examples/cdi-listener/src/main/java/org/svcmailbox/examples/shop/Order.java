package org.svcmailbox.examples.shop;

/** An order of a customer. */
public record Order(String item, int count) {}
