/** Spans of calls. Invariant: without OpenTelemetry in the server, no class of it is loaded. */
@NullMarked
package org.svcmailbox.grpc.trace;

import org.jspecify.annotations.NullMarked;
