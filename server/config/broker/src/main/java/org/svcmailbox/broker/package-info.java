/**
 * Runs inside an Artemis in another process than the service, and fixes faults that would lose the
 * service a message, until that broker restarts or for good. Invariant: nothing here depends on the
 * service.
 */
@NullMarked
package org.svcmailbox.broker;

import org.jspecify.annotations.NullMarked;
