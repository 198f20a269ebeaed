/**
 * The history of the service by the minute. {@link MinuteSampler} makes rows from looks at the
 * counters, {@link MinuteRows} wait in {@link MinuteQueue} for the {@link HistoryStore}, and {@link
 * HistoryPoints} merges them into points. A minute has rows of topics only together with the row of
 * the service.
 */
@NullMarked
package org.svcmailbox.core.history;

import org.jspecify.annotations.NullMarked;
