package org.svcmailbox.core.redrive.run;

import java.util.List;
import java.util.Map;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.redrive.Selection;

/**
 * The letters of a job, fixed at its start: the matching ones before {@code end}.
 *
 * @param patterns as {@link org.svcmailbox.core.redrive.Job#patterns}
 */
record SelectedLetters(
    Selection selection,
    LetterPosition end,
    Map<DeadLetterReason, Long> byReason,
    List<String> patterns) {}
