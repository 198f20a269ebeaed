/**
 * What operators look at besides the service: the list of metrics they rely on, the alerts and the
 * dashboard made from them. Invariant: no alert and no panel stands on a metric that is not listed.
 */
@NullMarked
package org.svcmailbox.it.observability;

import org.jspecify.annotations.NullMarked;
