package org.svcmailbox.examples.orders;

/** A customer's order; travels as JSON. */
record Order(String item, int count) {}
