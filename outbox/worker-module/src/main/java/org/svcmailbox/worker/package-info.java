/**
 * The worker: a process that runs a publisher for one outbox and consumers for one inbox, with a
 * command line for operators. It adds threads, settings and probes to the library, but no rules
 * about messages.
 */
@NullMarked
package org.svcmailbox.worker;

import org.jspecify.annotations.NullMarked;
