package org.svcmailbox.core.service;

/**
 * A part that finishes its work before the process ends. {@code stopIntake} refuses new work and
 * returns at once; {@code drain} blocks until the work is done or its deadline is over.
 */
public record Drain(Runnable stopIntake, Runnable drain) {}
