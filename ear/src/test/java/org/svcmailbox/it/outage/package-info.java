/** What clients and probes see while the database or the broker is away, and what is left of it. */
@NullMarked
package org.svcmailbox.it.outage;

import org.jspecify.annotations.NullMarked;
