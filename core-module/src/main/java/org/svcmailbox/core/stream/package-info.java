/**
 * Streams of received messages, for every door that has them: NDJSON and gRPC. Invariants: a stream
 * has at most one open RECV. A message counts in its stream's window from hand-out to the end of
 * its lease. A message that was not sent to the client is given back without costing an attempt.
 */
@NullMarked
package org.svcmailbox.core.stream;

import org.jspecify.annotations.NullMarked;
