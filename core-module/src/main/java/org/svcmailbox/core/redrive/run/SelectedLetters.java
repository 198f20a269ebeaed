package org.svcmailbox.core.redrive.run;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.redrive.Selection;

/**
 * The letters of a job, fixed at its start: the matching ones before {@code end}.
 *
 * @param patterns finds {@link org.svcmailbox.core.redrive.Job#patterns}; a dry run does not ask
 */
record SelectedLetters(
    Selection selection,
    LetterPosition end,
    Map<DeadLetterReason, Long> byReason,
    Supplier<List<String>> patterns) {}
