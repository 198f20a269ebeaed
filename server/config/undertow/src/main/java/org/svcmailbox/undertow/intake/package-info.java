/**
 * The listener's resources that clients can hold: connections, memory for arriving bodies, and
 * time. Invariants: no thread waits for a client's body. The I/O thread reads it before its request
 * gets a thread, and never further than the application may read. Each count is released once,
 * however its exchange or connection ends. A client that sends or reads too slowly loses its
 * connection (over HTTP/2, its stream).
 */
@NullMarked
package org.svcmailbox.undertow.intake;

import org.jspecify.annotations.NullMarked;
