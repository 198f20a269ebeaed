/**
 * The view of clients and probes while the database, the broker or the server itself is away, and
 * what is left when it is back.
 */
@NullMarked
package org.svcmailbox.it.outage;

import org.jspecify.annotations.NullMarked;
