/**
 * The measured software: the laid-out server, its alternatives and their clients.
 *
 * <p>Each contestant runs in processes of its own on loopback and listens on free ports. Closing
 * one ends its processes.
 */
@NullMarked
package org.svcmailbox.bench.contestant;

import org.jspecify.annotations.NullMarked;
