/**
 * Streaming calls of SENDs and deliveries. Invariants: a stream reads no more than it can keep; one
 * thread at a time writes to it.
 */
@NullMarked
package org.svcmailbox.grpc.stream;

import org.jspecify.annotations.NullMarked;
