/** The worker of outbox and inbox as processes: its commands, and workers that run. */
@NullMarked
package org.svcmailbox.it.worker;

import org.jspecify.annotations.NullMarked;
