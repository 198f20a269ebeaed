/**
 * What clients can hold of the listener: connections, memory for bodies that are under way, and
 * time. Invariants: no thread waits for a client's body, for every body is read in the I/O thread
 * before its request is given to a thread, and never further than the application may read; what is
 * counted in is counted out once, however its exchange or connection ends; a client that sends or
 * takes too slowly loses its connection (over HTTP/2, its stream).
 */
@NullMarked
package org.svcmailbox.undertow.intake;

import org.jspecify.annotations.NullMarked;
