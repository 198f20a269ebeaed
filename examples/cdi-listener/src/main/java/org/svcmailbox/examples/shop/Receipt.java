package org.svcmailbox.examples.shop;

/** The answer to an order. */
public record Receipt(String text) {}
