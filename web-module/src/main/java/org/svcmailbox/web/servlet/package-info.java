/**
 * The base of the message endpoints. They are servlets, because JAX-RS costs more per request than
 * the service itself. Invariants: every call has a capability; no server thread waits for an
 * outcome, and no service thread waits for a client.
 */
@NullMarked
package org.svcmailbox.web.servlet;

import org.jspecify.annotations.NullMarked;
