/** The scenario {@code speed}: the service and the broker alone. */
@NullMarked
package org.svcmailbox.bench.speed;

import org.jspecify.annotations.NullMarked;
