package org.svcmailbox.core.service;

/**
 * A part that finishes its work before the process ends.
 *
 * @param stopIntake refuses new work and returns at once
 * @param drain blocks until the work is done or its deadline has passed
 */
public record Drain(Runnable stopIntake, Runnable drain) {}
