/**
 * Spans and correlation ids of requests. Invariant: without OpenTelemetry in the server, no class
 * of it is loaded and a request costs one header lookup.
 */
@NullMarked
package org.svcmailbox.web.trace;

import org.jspecify.annotations.NullMarked;
