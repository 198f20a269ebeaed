/**
 * The worker: a publisher of one outbox and consumers for one inbox as a process, with a command
 * line for operators. It adds threads, settings and probes to the library, and no rule about
 * messages.
 */
@NullMarked
package org.svcmailbox.worker;

import org.jspecify.annotations.NullMarked;
