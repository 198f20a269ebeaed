package org.svcmailbox.client.cdi;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a listener's loop runs.
 *
 * @param concurrency how many messages are handled at a time
 * @param maxExecution empty for the loop's own
 * @param deadLetterMailbox the name of the mailbox that takes dead letters
 * @param deadLetterLimit how many deliveries a message may have
 * @param stopTimeout how long handlers may take at the end of the application
 */
record ListenerSettings(
    int concurrency,
    boolean ordered,
    Duration visibility,
    Optional<Duration> maxExecution,
    Optional<String> deadLetterMailbox,
    OptionalInt deadLetterLimit,
    Duration stopTimeout) {}
