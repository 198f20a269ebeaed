package org.svcmailbox.core.condition;

import org.jspecify.annotations.Nullable;

/**
 * The broker as the service sees it.
 *
 * @param kind {@code embedded}, or {@code external} for one outside the process
 * @param serving where the broker is that answers; null while none does
 * @param standby whether another broker waits to take over; null if there is to be none, or nobody
 *     knows
 */
public record BrokerStanding(String kind, @Nullable String serving, @Nullable Boolean standby) {}
