/**
 * The parts that all protocols of the mailbox service share: failures that follow from a problem,
 * repeats of calls, and the stream that receives wait for. Applications need none of it.
 *
 * <p>A stream has three rooms behind the lock of its {@code StreamDesk}. {@code StreamReceives} has
 * the receives that wait, {@code StreamArrivals} has the events of a link, and {@code StreamCourse}
 * decides on the next stream. {@code StreamState} decides about messages.
 */
@Experimental
@NullMarked
package org.svcmailbox.client.service;

import org.jspecify.annotations.NullMarked;
import org.svcmailbox.client.Experimental;
