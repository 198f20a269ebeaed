/**
 * Operators' view beside the service: the metrics they rely on, and the alerts and the dashboard
 * made from them. Invariant: no alert and no panel stands on a metric that is not listed.
 */
@NullMarked
package org.svcmailbox.it.observability;

import org.jspecify.annotations.NullMarked;
