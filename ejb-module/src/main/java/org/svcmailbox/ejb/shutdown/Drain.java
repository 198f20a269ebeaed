package org.svcmailbox.ejb.shutdown;

/**
 * A part of the service that ends what it has begun before the process ends.
 *
 * @param stopIntake refuses what is new; returns at once
 * @param drain blocks until everything is done or its own deadline has passed
 */
public record Drain(Runnable stopIntake, Runnable drain) {}
