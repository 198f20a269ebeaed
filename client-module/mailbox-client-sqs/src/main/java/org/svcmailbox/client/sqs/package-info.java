/**
 * A mailbox on Amazon SQS, a standard or a FIFO queue.
 *
 * <p>A {@code WireMessage} is a message as SQS carries it. The {@code SqsRepeater} makes a call as
 * often as is harmless, because the SDK's own retries are off: it alone knows whether an earlier
 * attempt may have succeeded. Polls run on threads that nothing interrupts, and no poll is aborted:
 * SQS hides what an aborted one took until its lease is over. Nothing here shows credentials.
 */
@NullMarked
package org.svcmailbox.client.sqs;

import org.jspecify.annotations.NullMarked;
