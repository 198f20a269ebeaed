/**
 * Where requests stand in the traces of their clients. Invariant: without OpenTelemetry in the
 * server no class of it is touched, and a request costs the look for one header.
 */
@NullMarked
package org.svcmailbox.web.trace;

import org.jspecify.annotations.NullMarked;
