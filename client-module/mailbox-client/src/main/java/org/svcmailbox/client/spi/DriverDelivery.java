package org.svcmailbox.client.spi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message by a backend, under a lease.
 *
 * @param id the message's id
 * @param receiptHandle the handle of this delivery, different in each
 * @param deliveryCount the number of this delivery, from 1
 * @param enqueuedAt when the backend accepted the message
 * @param message the message
 * @param lastError the reason of the last nack, if the backend keeps it
 */
public record DriverDelivery(
    String id,
    String receiptHandle,
    int deliveryCount,
    Instant enqueuedAt,
    EncodedMessage message,
    @Nullable String lastError) {}
