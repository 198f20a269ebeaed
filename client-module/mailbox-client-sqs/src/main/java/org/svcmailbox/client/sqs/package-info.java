/**
 * A mailbox on Amazon SQS, a standard or a FIFO queue.
 *
 * <p>A {@code WireMessage} is a message in the format of SQS. The {@code SqsRepeater} repeats a
 * call only when that is safe. The SDK's own retries are off, because the SDK does not know whether
 * an earlier attempt may have succeeded. Polls run on threads that are never interrupted, and no
 * poll is aborted, because SQS would hide its messages until their leases end. No log line,
 * exception or {@code toString} contains credentials.
 */
@NullMarked
package org.svcmailbox.client.sqs;

import org.jspecify.annotations.NullMarked;
