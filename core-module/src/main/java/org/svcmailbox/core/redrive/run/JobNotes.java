package org.svcmailbox.core.redrive.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.redrive.FilterText;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.ReasonCounts;
import org.svcmailbox.core.redrive.Selection;

final class JobNotes {
  private JobNotes() {}

  static String start(Job job) {
    JobSpec spec = job.spec();
    return "%s topic=%s %s letters=%d %s rate=%d%s%s%s; %s"
        .formatted(
            spec.action().text(),
            spec.topic(),
            selection(spec.selection()),
            job.total(),
            ReasonCounts.text(job.byReason()),
            spec.rate(),
            spec.first() == null ? "" : " first=" + spec.first(),
            spec.toTopic() == null ? "" : " to=" + spec.toTopic(),
            ttl(spec.ttl()),
            spec.note());
  }

  /** The new time to live for a note, if there is one. */
  static String ttl(@Nullable Duration ttl) {
    return ttl == null ? "" : " ttl_ms=" + ttl.toMillis();
  }

  private static String selection(Selection selection) {
    if (selection instanceof Selection.Chosen chosen) {
      return "chosen=" + chosen.positions().size();
    }
    return selection instanceof Selection.Due due
        ? "reprocessed<" + due.times()
        : "filter=" + FilterText.of(((Selection.Matching) selection).filter());
  }

  static String progress(Job job) {
    JobProgress progress = job.progress();
    return "%s: %d of %d done, %d failed"
        .formatted(progress.state().text(), progress.done(), job.total(), progress.failed());
  }

  static String end(Job job) {
    String ending = job.progress().ending();
    return "%s, %d gone%s"
        .formatted(progress(job), job.gone(), ending == null ? "" : "; " + ending);
  }
}
