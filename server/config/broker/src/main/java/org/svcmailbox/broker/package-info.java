/**
 * Runs inside an Artemis that is not in the service's process, and mends what loses the service a
 * message, until that broker restarts or for good. Invariant: nothing here depends on the service.
 */
@NullMarked
package org.svcmailbox.broker;

import org.jspecify.annotations.NullMarked;
