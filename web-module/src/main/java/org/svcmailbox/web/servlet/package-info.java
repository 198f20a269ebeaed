/**
 * What the doors have in common that are called for every message. They are servlets: JAX-RS took
 * more of a request's time than all that the service does for it. Invariants: nobody gets in
 * without a capability; no thread of the server waits for an outcome, and no thread of the service
 * for a client.
 */
@NullMarked
package org.svcmailbox.web.servlet;

import org.jspecify.annotations.NullMarked;
